import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";

import { Failed } from "../components/ui/states";
import { ApiProblem } from "../lib/api-client";
import { showLanguage } from "../lib/i18n/languages";
import { expectAccessible } from "../mocks/axe";
import { makeTaskSummary } from "../mocks/factories/task";
import { renderApp, renderUi } from "../mocks/render";
import { server } from "../mocks/server";
import { answer } from "../mocks/wire";

afterEach(async () => {
  await showLanguage("en");
});

test("the language is changed with the keyboard, at once and for later", async () => {
  server.use(
    answer("get", "/api/v1/current-rounds", []),
    answer("get", "/api/v1/tasks", [makeTaskSummary()]),
  );
  renderApp("/");
  const menu = await screen.findByRole("button", { name: "Language: English" });
  menu.focus();
  await userEvent.keyboard("{Enter}");
  const spanish = await screen.findByRole("menuitemradio", { name: "Español" });
  expect(spanish).toHaveAttribute("lang", "es");
  expect(screen.getByRole("menuitemradio", { name: "English" })).toBeChecked();
  spanish.focus();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "Tareas" })).toBeInTheDocument();
  expect(document.title).toBe("Tareas · Dynabench");
  expect(document.documentElement).toHaveAttribute("lang", "es");
  expect(localStorage.getItem("dynabench-language")).toBe("es");
  const again = screen.getByRole("button", { name: "Idioma: Español" });
  await waitFor(() => expect(again).toHaveFocus());
  await expectAccessible();
});

test("a failure is told in the reader's language where that knows its code", async () => {
  await showLanguage("es");
  const facts = { username: "ada" };
  const detail = "“ada” is taken. Choose another name.";
  const known = new ApiProblem({ status: 409, code: "people.username_taken", detail, facts });
  renderUi(<Failed error={known} />);
  expect(screen.getByText("«ada» ya está en uso. Elige otro nombre.")).not.toHaveAttribute("lang");
});

test.each([
  ["people.username_taken", "“ada” is taken. Choose another name."],
  ["models.check_failed", "The model did not answer the trial input: none came."],
])("%s without a sentence or its facts stays English, and says so", async (code, detail) => {
  await showLanguage("es");
  renderUi(<Failed error={new ApiProblem({ status: 409, code, detail })} />);
  expect(screen.getByText(detail)).toHaveAttribute("lang", "en");
});
