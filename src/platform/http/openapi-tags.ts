import { meaningOf, resources } from '#platform/access'
import type { Document } from './openapi-document.ts'

const ofNoResource = [
  { name: 'auth', description: 'Signing in and out, passwords, tokens and API keys.' },
  { name: 'health', description: 'Whether the service is well.' },
  { name: 'reference', description: 'This description, for machines and for people.' },
]

const ofResources = resources.map((name) => {
  const meaning = meaningOf(`${name}.read`).replace(/^See /, '')
  return { name, description: `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.` }
})

/** The parts of the reference that have something in them: getting in first, then the product, then the machinery. */
export function listTags(document: Document): Document {
  const used = new Set(Object.values(document.paths).flatMap((one) => Object.values(one).flatMap(({ tags }) => tags)))
  const [auth, ...machinery] = ofNoResource
  const tags = [auth!, ...ofResources, ...machinery].filter(({ name }) => used.has(name))
  return { ...document, tags: tags.map((tag) => ({ ...tag, 'x-displayName': displayName(tag.name) })) }
}

const abbreviations: Record<string, string> = { auth: 'Authentication', plg: 'PLG', rfx: 'RFx' }
const displayName = (name: string) =>
  abbreviations[name] ?? `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
