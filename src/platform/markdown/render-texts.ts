import { markdownVersion, renderMarkdown } from './render-markdown.ts'

/** Larger than that of other texts, because the text of a content item may have 100,000 characters. */
export const maxContentHtmlLength = 250_000

export type BodyHtml = { body_html: string; renderer_version: number }
export type WelcomeHtml = { welcome_html: string; renderer_version: number }

type Rendering = { tenantId: string; maxLength?: number }

/** Called before the transaction, because an expensive text takes longer than a statement. */
export async function renderBody(
  body: string | null | undefined,
  { tenantId: key, ...options }: Rendering,
): Promise<BodyHtml | undefined> {
  if (!body) return undefined
  return { body_html: await renderMarkdown(body, { key, ...options }), renderer_version: markdownVersion }
}

export async function renderWelcome(
  welcome: string | null | undefined,
  { tenantId: key }: Rendering,
): Promise<WelcomeHtml | undefined> {
  if (!welcome) return undefined
  const welcome_html = await renderMarkdown(welcome, { key, path: '/welcome' })
  return { welcome_html, renderer_version: markdownVersion }
}
