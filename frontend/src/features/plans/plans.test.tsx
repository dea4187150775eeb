import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { afterEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { showLanguage } from "../../lib/i18n/languages";
import { expectAccessible } from "../../mocks/axe";
import { makePlan, NEW_MODEL } from "../../mocks/factories/plan";
import { makeRound } from "../../mocks/factories/round";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";
import { layOutLineage } from "./lineage-layout";

const address = "/tasks/nli/owner/next-round";
const route = "/api/v1/tasks/:slug/next-round";
const old = makeRound().target_model_ids[0] ?? "";

afterEach(() => showLanguage("en"));

/** A server that proposes a round and keeps the draft that is made of it. */
function servePlan(plan = makePlan()) {
  const sent = { asked: [] as string[], drafts: [] as Schemas["RoundCreate"][] };
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("get", "/api/v1/tasks/:slug", makeTask({ my_role: "owner" })),
    http.get(`*${route}`, ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      sent.asked.push(search);
      const tags = searchParams.getAll("tags");
      const drawn = plan.contexts.tags.map((one) => ({
        ...one,
        is_drawn: tags.length === 0 ? one.is_drawn : tags.includes(one.tag),
      }));
      return HttpResponse.json({ ...plan, contexts: { ...plan.contexts, tags: drawn } });
    }),
    http.post("*/api/v1/tasks/:slug/rounds", async ({ request }) => {
      sent.drafts.push((await request.json()) as Schemas["RoundCreate"]);
      return HttpResponse.json(makeRound({ status: "draft" }), { status: 201 });
    }),
    answer("get", "/api/v1/tasks/:slug/rounds", []),
  );
  return sent;
}

test.each(schemes)("a plan shows what speaks for and against it in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  servePlan();
  renderApp(address);
  expect(await screen.findByText("Contexts leak.")).toBeInTheDocument();
  expect(screen.getByText(/vMER changed by 1.2 points \(95 % interval -4/)).toBeInTheDocument();
  expect(screen.getByText(/written by 4 people, the busiest of whom wrote 61/)).toBeInTheDocument();
  expect(screen.getByRole("checkbox", { name: "retrained v1" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "secret v1" })).toBeDisabled();
  expect(screen.getByText(/surely the best/)).toBeInTheDocument();
  const lineage = within(screen.getByRole("table", { name: /A full line leads/ }));
  expect(lineage.getByRole("row", { name: /Round 2, planned/ })).toHaveTextContent(
    "Round 2, planned––retrained v1Round 1",
  );
  expect(
    screen.getByText(/That takes 45 people with 20 attempts each, 900 in all/),
  ).toBeInTheDocument();
  await expectAccessible();
});

test("why the targets are proposed is said in the page's language", async () => {
  await showLanguage("es");
  servePlan(
    makePlan({
      suggestion: {
        target_model_ids: [NEW_MODEL, old],
        policy: "random",
        code: "tied",
        is_repeated: true,
        reason: "On the last releases these cannot be told apart.",
      },
      warnings: [
        {
          code: "no_new_contexts",
          sentence: "The task has no contexts.",
          figures: { contexts: 0 },
        },
        {
          code: "few_annotators",
          sentence: "",
          figures: { round: 1, annotators: 1, top_share: 1 },
        },
        { code: "round_open", sentence: "", figures: { round: 2 } },
      ],
    }),
  );
  renderApp(address);
  expect(
    await screen.findByText(
      /no se distinguen: retrained v1 \(puesto 1\), starter v1 \(puesto 2\)\..* También fueron/,
    ),
  ).toBeInTheDocument();
  expect(screen.getByText("La tarea no tiene contextos. Sube algunos.")).toBeInTheDocument();
  expect(screen.getByText(/La ronda 1 la escribió una sola persona/)).toBeInTheDocument();
  expect(screen.getByText("La ronda 2 sigue recogiendo.")).toBeInTheDocument();
});

test("who chooses another target than the last round's is not warned of that one", async () => {
  const code = "same_target" as const;
  const suggestion = {
    target_model_ids: [old],
    policy: "single" as const,
    code: "unscored" as const,
    is_repeated: true,
    reason: "",
  };
  const settings = { ...makePlan().settings, target_model_ids: [old] };
  servePlan(
    makePlan({
      suggestion,
      settings,
      warnings: [{ code, sentence: "", figures: { targets: "starter v1" } }],
    }),
  );
  renderApp(address);
  expect(await screen.findByText("The target is the last round's.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("checkbox", { name: "starter v1" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "retrained v1" }));
  expect(screen.queryByText("The target is the last round's.")).not.toBeInTheDocument();
});

test.each([
  ["one_person", /one person wrote the last round/],
  ["pending", /votes on the last round are missing/],
] as const)("a plan without people says why: %s", async (reason, why) => {
  const nothing = { people: null, tries_each: null, attempts: null, validated_fooling: null };
  const plan = makePlan();
  const budget = { ...plan.budget, ...nothing, days: null, likeness: null, reason };
  servePlan({ ...plan, budget });
  renderApp(address);
  expect(await screen.findByText(why)).toHaveTextContent(/at least 285 attempts, each by somebody/);
  expect(screen.queryByRole("button", { name: /Close it after/ })).not.toBeInTheDocument();
});

test("what is chosen becomes a draft", async () => {
  const sent = servePlan();
  renderApp(address);
  await userEvent.click(await screen.findByRole("checkbox", { name: "starter v1" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "fiction" }));
  await waitFor(() => expect(sent.asked.at(-1)).toContain("tags=news&tags=fiction"));
  await waitFor(() => expect(screen.getByRole("checkbox", { name: "fiction" })).toBeChecked());
  await userEvent.type(screen.getByRole("spinbutton", { name: /No model shown/ }), "{selectall}10");
  await userEvent.dblClick(screen.getByRole("button", { name: "Create the draft" }));
  await waitFor(() => expect(sent.drafts).toHaveLength(1));
  expect(sent.drafts[0]).toMatchObject({
    target_model_ids: [NEW_MODEL, old],
    parent_model_ids: [NEW_MODEL, old],
    target_policy: "random",
    context_tags: [],
    budget: { examples: 900 },
    controls: { no_model_share: 0.1, earlier_share: 0, model_id: null },
    parent_round_ids: [makeRound({ number: 1 }).id],
  });
  expect(await screen.findByText("There is no round yet.")).toBeInTheDocument();
});

test("the page loads, has nothing to plan from, and fails", async () => {
  servePlan();
  server.use(stall("get", route));
  const { unmount } = renderApp(address);
  expect(await screen.findAllByText(/Loading/)).not.toEqual([]);
  unmount();
  const nothing = { rounds: [], models: [], edges: [] };
  servePlan(makePlan({ candidates: [], suggestion: null, lineage: nothing, warnings: [] }));
  const second = renderApp(address);
  expect(await screen.findByText("There is nothing to plan from yet.")).toBeInTheDocument();
  await expectAccessible();
  second.unmount();
  server.use(refuse("get", route, { status: 503 }));
  renderApp(address);
  expect(await screen.findByRole("button", { name: /again/i })).toBeInTheDocument();
});

test("each round stands right of the ones before it, and a model below its first one", () => {
  const plan = makePlan();
  const choice = {
    targets: [NEW_MODEL],
    parentRounds: [makeRound({ number: 1 }).id],
    parentModels: [],
  };
  const { nodes, edges, width, height } = layOutLineage(plan, choice, (id) => id);
  const [first, planned, ...models] = nodes;
  expect([first?.kind, planned?.kind]).toEqual(["round", "planned"]);
  expect(planned?.x).toBeGreaterThan(first?.x ?? 0);
  expect(models.map(({ x }) => x)).toEqual([first?.x, planned?.x]);
  expect(models.every(({ y }) => y > 0)).toBe(true);
  expect(edges).toHaveLength(3);
  expect(edges.filter(({ isTarget }) => isTarget)).toHaveLength(2);
  expect(nodes.every(({ x, y }) => x < width && y < height)).toBe(true);
});
