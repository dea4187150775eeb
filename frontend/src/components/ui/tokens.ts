/** Ten steps of the one accent colour, lightest first. */
export const accent = [
  "#eef1fd",
  "#dce2fa",
  "#b9c4f4",
  "#93a4ee",
  "#7489e8",
  "#5f77e4",
  "#4a62d8",
  "#3a50c4",
  "#3046b5",
  "#25389a",
] as const;

/** What the accent's filled buttons use in each scheme, as steps of `accent`. */
export const filledStep = { light: 8, dark: 6 } as const;

/** The colours of one scheme, named by what they are for. */
export interface SchemeColours {
  page: string;
  surface: string;
  text: string;
  dimmed: string;
  link: string;
  /** Lines that bound a control; thin separators use `rule`. */
  border: string;
  rule: string;
  hover: string;
  focus: string;
  good: string;
  goodSurface: string;
  bad: string;
  badSurface: string;
  warning: string;
  warningSurface: string;
  mark: string;
  bar: string;
  series: readonly [string, string, string, string];
}

/** Light and dark from the same names; `tokens.test.ts` holds every pair to AA. */
export const colours: { light: SchemeColours; dark: SchemeColours } = {
  light: {
    page: "#ffffff",
    surface: "#f5f6f8",
    text: "#1c1e22",
    dimmed: "#565d67",
    link: "#3046b5",
    border: "#828a95",
    rule: "#dde0e5",
    hover: "#eceef2",
    focus: "#3046b5",
    good: "#1b6b3a",
    goodSurface: "#e6f4ea",
    bad: "#a32020",
    badSurface: "#fdecec",
    warning: "#7a4a00",
    warningSurface: "#fff4e0",
    mark: "#dce2fa",
    bar: "#5f77e4",
    // After Okabe and Ito, darkened to 3:1: told apart under every colour blindness.
    series: ["#0067a3", "#b34f00", "#007a5a", "#a34b83"],
  },
  dark: {
    page: "#16181c",
    surface: "#1e2126",
    text: "#e6e8eb",
    dimmed: "#a9b0b9",
    link: "#93a4ee",
    border: "#737c88",
    rule: "#33383f",
    hover: "#2a2e34",
    focus: "#93a4ee",
    good: "#7fd8a0",
    goodSurface: "#16301f",
    bad: "#ff9d9d",
    badSurface: "#3a1d1d",
    warning: "#f2c572",
    warningSurface: "#372a12",
    mark: "#2c3c8c",
    bar: "#7489e8",
    series: ["#56b4e9", "#e69f00", "#2fb892", "#d48fbc"],
  },
};
