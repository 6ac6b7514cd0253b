import { describeResource, resources } from '#platform/access'
import type { OpenApiDocument } from './document.ts'
import { webhookTag } from './webhooks.ts'

const generalTags = [
  { name: 'auth', description: 'Sign-in, passwords, sessions, single sign-on and API keys.' },
  { name: 'home', description: 'Home page of the current user, and search of all records.' },
  { name: webhookTag, description: 'Requests that are sent to your webhooks, by event type.' },
  { name: 'health', description: 'Health checks.' },
  { name: 'reference', description: 'OpenAPI document and API reference.' },
]

const resourceTags = resources.map((name) => {
  const text = describeResource(name) ?? name
  return { name, description: `${text[0]!.toUpperCase()}${text.slice(1)}.` }
})

export function addTags(document: OpenApiDocument): OpenApiDocument {
  const used = new Set(
    [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap((methods) =>
      Object.values(methods).flatMap(({ tags }) => tags),
    ),
  )
  const [auth, home, ...others] = generalTags
  const tags = [auth!, home!, ...resourceTags, ...others].filter(({ name }) => used.has(name))
  return { ...document, tags: tags.map((tag) => ({ ...tag, 'x-displayName': displayName(tag.name) })) }
}

const displayNames: Record<string, string> = {
  auth: 'Authentication',
  admin: 'Administration',
  [webhookTag]: 'Webhook events',
  integrations: 'Connected apps',
  opportunities: 'Deals',
}
const displayName = (name: string) =>
  displayNames[name] ?? `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
