import { createStore } from '../../../api/store.ts'

/** The result of an enrollment. People who were not enrolled are counted by their reason. */
export type EnrollOutcome = { enrolled: number | null; skipped: Readonly<Record<string, number>>; hasFlow: boolean }

/** The last enrollment of each cadence, until the user hides it. */
export const enrollResults = createStore<Readonly<Record<string, EnrollOutcome>>>({})

export const noteEnrolled = (cadenceId: string, outcome: EnrollOutcome | undefined): void => {
  const { [cadenceId]: _, ...others } = enrollResults.get()
  enrollResults.set(outcome ? { ...others, [cadenceId]: outcome } : others)
}
