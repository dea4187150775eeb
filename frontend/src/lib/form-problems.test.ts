import { expect, test, vi } from "vitest";

import { ApiProblem } from "./api-client";
import { showFieldProblems } from "./form-problems";

const complaint = (fields: Record<string, string>) =>
  new ApiProblem({ status: 422, code: "invalid", fields });

test("the server's sentences go to their fields", () => {
  const setError = vi.fn();
  const all = showFieldProblems(complaint({ username: "Taken." }), setError, ["username"]);
  expect(all).toBe(true);
  const message = { type: "server", message: "Taken." };
  expect(setError).toHaveBeenCalledWith("username", message, { shouldFocus: true });
});

test.each([complaint({ elsewhere: "No." }), complaint({}), new Error("ours")])(
  "what belongs to no field is left to the form (%#)",
  (error) => {
    const setError = vi.fn();
    expect(showFieldProblems(error, setError, ["username"])).toBe(false);
    expect(setError).not.toHaveBeenCalled();
  },
);
