import { invalid, invalidTransition } from '#platform/errors'
import type { CertificateSettings, PathStatus } from '../records/learning.schemas.ts'
import type { PathRow } from '../records/path-row.ts'
import type { CertificateInput } from './paths.schemas.ts'

const transitions: Record<PathStatus, readonly PathStatus[]> = {
  draft: ['published'],
  published: ['archived'],
  archived: ['draft'],
}

export function assertPathTransition({ status }: PathRow, to: PathStatus): void {
  const allowed = transitions[status]
  if (allowed.includes(to)) return
  const message = `The status of the path cannot change from ${status} to ${to}.`
  throw invalidTransition(message, { from: status, to, allowed })
}

const certificateDefaults: CertificateSettings = {
  enabled: false,
  title: null,
  valid_days: null,
  recertify: false,
  recertify_lead_days: 30,
}

/** Fields that are left out keep their current or default values. */
export function completeCertificate(
  input: CertificateInput,
  current: CertificateSettings = certificateDefaults,
): CertificateSettings {
  const settings = { ...current, ...input }
  const { recertify, valid_days, recertify_lead_days } = settings
  if (recertify && valid_days === null)
    throw invalid('body', '/certificate/valid_days', 'required', '`valid_days` is required with `recertify`.')
  if (recertify && recertify_lead_days > valid_days! / 2)
    throw invalid(
      'body',
      '/certificate/recertify_lead_days',
      'maximum',
      '`recertify_lead_days` must be at most half of `valid_days`; the default is 30.',
    )
  return settings
}
