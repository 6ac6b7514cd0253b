export const steps = ['file', 'columns', 'options', 'check', 'import'] as const
export type Step = (typeof steps)[number]
