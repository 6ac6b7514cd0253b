import { accessErrors } from './catalogue-access.ts'
import { requestErrors } from './catalogue-requests.ts'
import { stateErrors } from './catalogue-state.ts'

export type ErrorDescription = { status: number; title: string; description: string; remedy: string }

/** Error codes with their descriptions. The `type` of a problem response links to a page rendered from its entry. */
export type ErrorCatalogue = Readonly<Record<string, ErrorDescription>>

/** Error codes of the platform, and those that several modules use. */
export const platformErrors: ErrorCatalogue = {
  ...accessErrors,
  ...requestErrors,
  ...stateErrors,
}
