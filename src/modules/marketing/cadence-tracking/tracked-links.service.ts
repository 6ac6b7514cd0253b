import { findOrCreateSecret, getTenant, readSecret, workspaceUrl } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { generateSecretToken } from '#platform/secrets'
import { addOpenImage, rewriteLinks } from './rewrite-links.rules.ts'
import { maxTokenLength, signLink, type TrackedKind, type TrackedLink, verifyLink } from './tracking-tokens.rules.ts'

const keyName = 'email_tracking_key'

type Content = { text: string; html: string }
type Tracking = { runId: string; clicks: boolean; opens: boolean; unsubscribeUrl: string }
export type LinkTracker = { track(content: Content, tracking: Tracking): Content }

/** Reads the key of the workspace once for any number of emails. */
export async function readLinkTracker(tx: TenantTx, { secrets, config }: Services): Promise<LinkTracker> {
  const { slug } = await getTenant(tx)
  const key = await findOrCreateSecret(tx, secrets, keyName, generateSecretToken)
  const urlOf = (link: TrackedLink) => {
    const token = signLink(key, link)
    return token.length > maxTokenLength ? null : workspaceUrl(config, slug, `/api/public/${link.kind}/${token}`)
  }
  return {
    track(content, { runId, clicks, opens, unsubscribeUrl }) {
      const toTrackedUrl = (url: string) => urlOf({ kind: 'click', runId, url: new URL(url).href })
      const { text, html } = clicks ? rewriteLinks(content, { toTrackedUrl, unsubscribeUrl }) : content
      return { text, html: opens ? addOpenImage(html, urlOf({ kind: 'open', runId, url: '' })!) : html }
    },
  }
}

/** Returns undefined for a token that this workspace did not sign. */
export async function readTrackedLink(
  tx: TenantTx,
  { secrets }: Services,
  kind: TrackedKind,
  token: string,
): Promise<TrackedLink | undefined> {
  const key = await readSecret(tx, secrets, keyName)
  return key === null ? undefined : verifyLink(key, kind, token)
}
