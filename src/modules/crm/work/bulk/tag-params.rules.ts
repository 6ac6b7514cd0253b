import { invalid } from '#platform/errors'
import { requiredParam } from './bulk.rules.ts'

const maxTags = 50

export async function assertTagParams(_tx: unknown, { tags }: { tags?: readonly string[] }): Promise<void> {
  if (!tags) throw requiredParam('tags')
}

type NextTags = (current: readonly string[], tags: readonly string[]) => string[]

/** Returns as many tags as the record has if nothing changes. */
export const addTagsTo =
  (type: 'lead' | 'contact'): NextTags =>
  (current, tags) => {
    const next = [...new Set([...current, ...tags])]
    if (next.length > maxTags)
      throw invalid('body', '/params/tags', 'too_many', `A ${type} must not have more than ${maxTags} tags.`)
    return next
  }

export const removeTagsFrom: NextTags = (current, tags) => current.filter((tag) => !tags.includes(tag))
