import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { addSuppressions } from '../consent/suppressions.service.ts'

type OptOut = {
  email: string
  channel: 'email' | 'survey'
  reason: 'unsubscribed' | 'bounced' | 'complained'
  source: string
}

export const recordEmailOptOut = (
  tx: TenantTx,
  services: Services,
  { email, channel, reason, source }: OptOut,
): Promise<void> => addSuppressions(tx, services, { subjects: [email], channel, reason, source })
