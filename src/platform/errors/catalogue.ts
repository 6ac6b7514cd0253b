import { accessErrors } from './catalogue-access.ts'
import { requestErrors } from './catalogue-requests.ts'
import { stateErrors } from './catalogue-state.ts'

/** What a code means, and what whoever gets it can do. */
export type Explanation = { status: number; title: string; meaning: string; action: string }

/** Every code the API refuses with. Problem answers point to a page made from its row. */
export const catalogue: Readonly<Record<string, Explanation>> = { ...accessErrors, ...requestErrors, ...stateErrors }
