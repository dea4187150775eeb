import { Input } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface ChoiceGroupProps {
  role: "group" | "radiogroup";
  title: string;
  /** Whether another control shows the title already. */
  isTitleHidden?: boolean;
  description?: string | undefined;
  error?: string | undefined;
  isRequired?: boolean;
  className: string | undefined;
  children: ReactNode;
}

/** Several controls that answer one question, with the question's name, help and complaint. */
export function ChoiceGroup(props: ChoiceGroupProps) {
  const { role, title, description, error, isRequired = false, className, children } = props;
  const isTitleHidden = props.isTitleHidden ?? false;
  const id = useId();
  const told = [
    description === undefined ? null : `${id}-description`,
    error === undefined ? null : `${id}-error`,
  ].filter((part) => part !== null);
  return (
    <Input.Wrapper
      labelElement="div"
      label={isTitleHidden ? undefined : title}
      labelProps={{ id: `${id}-label` }}
      description={description}
      descriptionProps={{ id: `${id}-description` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
      required={isRequired}
    >
      <div
        role={role}
        className={className}
        {...(isTitleHidden ? { "aria-label": title } : { "aria-labelledby": `${id}-label` })}
        {...(told.length === 0 ? {} : { "aria-describedby": told.join(" ") })}
        {...(role === "radiogroup" && { "aria-required": isRequired })}
      >
        {children}
      </div>
    </Input.Wrapper>
  );
}
