import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { ApiProblem } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { CodeBlock } from "./code-block";
import { ConfirmButton } from "./confirm-button";
import { KeyButton } from "./key-button";
import { showUndoToast } from "./undo-toast";

test("a button's key presses it and stands on it without changing its name", async () => {
  const skip = vi.fn();
  renderUi(
    <KeyButton keys="s" onKey={skip}>
      Skip
    </KeyButton>,
  );
  const button = screen.getByRole("button", { name: "Skip" });
  expect(button).toHaveTextContent("SkipS");
  expect(button).toHaveAttribute("aria-keyshortcuts", "s");
  await userEvent.keyboard("s");
  await userEvent.click(button);
  expect(skip).toHaveBeenCalledTimes(2);
});

test("a disabled button's key does nothing", async () => {
  const skip = vi.fn();
  renderUi(
    <KeyButton keys="s" onKey={skip} disabled>
      Skip
    </KeyButton>,
  );
  await userEvent.keyboard("s");
  expect(skip).not.toHaveBeenCalled();
});

async function openConfirmation(onConfirm: () => Promise<unknown>) {
  renderUi(
    <ConfirmButton consequence="Nobody can write examples in it again." onConfirm={onConfirm}>
      Close round 2
    </ConfirmButton>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Close round 2" }));
  return screen.findByRole("dialog", { name: "Close round 2" });
}

test("a dangerous button says what will happen and asks once", async () => {
  const close = vi.fn(() => Promise.resolve());
  const dialog = await openConfirmation(close);
  expect(dialog).toHaveTextContent("Nobody can write examples in it again.");
  expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
  expect(close).not.toHaveBeenCalled();
  await userEvent.click(screen.getAllByRole("button", { name: "Close round 2" }).at(-1) as Element);
  expect(close).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("a refused deed keeps the dialog open and says why", async () => {
  const problem = new ApiProblem({ status: 409, code: "x", detail: "Two jobs still run." });
  await openConfirmation(() => Promise.reject(problem));
  await userEvent.click(screen.getAllByRole("button", { name: "Close round 2" }).at(-1) as Element);
  expect(await screen.findByRole("alert")).toHaveTextContent("Two jobs still run.");
});

test("the dialog is accessible", async () => {
  await openConfirmation(() => Promise.resolve());
  await expectAccessible();
});

test("what was done can be undone with a key", async () => {
  const undo = vi.fn(() => Promise.resolve());
  renderUi(<main />);
  showUndoToast({ message: "Voted correct.", onUndo: undo });
  expect(await screen.findByRole("status")).toHaveTextContent("Voted correct.");
  await userEvent.keyboard("u");
  expect(undo).toHaveBeenCalledOnce();
  expect(await screen.findByText("Undone.")).toBeInTheDocument();
});

test("code is copied, and the button says so", async () => {
  const user = userEvent.setup();
  renderUi(<CodeBlock label="Start the server" code="dynabench up" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe("dynabench up");
});

test.each(schemes)("buttons and code are accessible in %s", async (scheme) => {
  renderUi(
    <main>
      <KeyButton keys="mod+enter" onKey={() => undefined}>
        Submit
      </KeyButton>
      <CodeBlock label="Start the server" code="dynabench up" />
    </main>,
    scheme,
  );
  await expectAccessible();
});
