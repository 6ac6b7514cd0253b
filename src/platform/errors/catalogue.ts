import { accessErrors } from './catalogue-access.ts'
import { requestErrors } from './catalogue-requests.ts'
import { stateErrors } from './catalogue-state.ts'

export type ErrorDescription = { status: number; title: string; description: string; remedy: string }

/** Every error code of the API. The `type` of a problem response links to a page rendered from its entry. */
export const errorCatalogue: Readonly<Record<string, ErrorDescription>> = {
  ...accessErrors,
  ...requestErrors,
  ...stateErrors,
}
