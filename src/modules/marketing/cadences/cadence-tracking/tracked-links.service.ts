import { findOrCreateSecret, getTenant, workspaceUrl } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { generateSecretToken } from '#platform/secrets'
import { trackingKeyName } from './tracking-keys.ts'
import { addOpenImage, maxTokenLength, signLink, type TrackedLink } from './tracking-tokens.rules.ts'

type Tracking = { runId: string; clicks: boolean; opens: boolean; unsubscribeUrl: string }
type EmailTracker = { toUrl(url: string): string; addImage(html: string): string }
export type LinkTracker = { trackEmail(tracking: Tracking): EmailTracker }

/** Reads the key of the workspace once for any number of emails. */
export async function readLinkTracker(tx: TenantTx, { secrets, config }: Services): Promise<LinkTracker> {
  const { slug } = await getTenant(tx)
  const key = await findOrCreateSecret(tx, secrets, trackingKeyName, generateSecretToken)
  const urlOf = (link: TrackedLink) => {
    const token = signLink(key, link)
    return token.length > maxTokenLength ? null : workspaceUrl(config, slug, `/api/public/${link.kind}/${token}`)
  }
  return {
    trackEmail: ({ runId, clicks, opens, unsubscribeUrl }) => ({
      // The unsubscribe link works without the tracking.
      toUrl: (url) =>
        clicks && url !== unsubscribeUrl ? (urlOf({ kind: 'click', runId, url: new URL(url).href }) ?? url) : url,
      addImage: (html) => (opens ? addOpenImage(html, urlOf({ kind: 'open', runId, url: '' })!) : html),
    }),
  }
}
