import { translate } from '../language.ts'

/** Sentences for error codes of the API. Codes without an entry get the text of `unknown`. */
const problems: Readonly<Record<string, string>> = {
  unreachable: 'The server could not be reached. Check your connection.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  not_found: 'It does not exist, or it was deleted.',
  scope_required: 'Your role does not allow this.',
  role_required: 'Your role does not allow this.',
  impersonation_not_allowed: 'This is not possible while you act as another user.',
  tenant_not_found: 'No workspace has this address. Check the first part of the host name.',
  tenant_in_maintenance: 'The workspace is in maintenance. Try again in a few minutes.',
  dependency_unavailable: 'The service is busy. Try again in a moment.',
  version_mismatch: 'Another user changed this record. Load it again.',
  validation_failed: 'Some values are not valid.',
  reauthentication_required: 'Confirm your password first.',
  conflict: 'Another change was made at the same time. Load the page again.',
  already_exists: 'A record with this value already exists.',
  limit_reached: 'The workspace cannot have more of these.',
  undo_expired: 'It can no longer be undone.',
  task_finished: 'The task has already ended.',
}

export const stateTexts = translate('stateTexts', {
  problem: (code: string): string => problems[code] ?? 'Something went wrong.',
  partFailed: (part: string) => `${part} could not be loaded`,
  restWorks: 'The rest of the page works.',
  request: (id: string) => `Request ${id}`,
  retry: 'Try again',
  copyId: 'Copy id',
  copyRequestId: 'Copy request id',
  notFoundTitle: 'Not found',
  notFound: 'This page does not exist',
  notFoundText: 'The address may be wrong, or the record was deleted.',
  toHome: 'Back to Home',
  noPermission: (area: string) => `You cannot see ${area}`,
  needsScope: (scope: string) =>
    `It needs the permission ${scope}. Ask an admin of the workspace for a role that includes it.`,
  thisPage: 'this page',
  product: 'Tributary',
  noWorkspace: 'This workspace does not exist',
  notStarted: 'The application cannot start',
  errorTitle: 'Error',
  notLoaded: 'This page could not be loaded',
  notLoadedText: 'A new version was installed, or the connection was lost.',
  reload: 'Reload',
})
