import type { Option } from '../../ui/field.tsx'

/** Adds the stored value if the list does not contain it, so that saving the form does not change it. */
export const withCurrent = (options: readonly Option[], current: string, label = current): readonly Option[] =>
  options.some(({ value }) => value === current) ? options : [{ value: current, label }, ...options]
