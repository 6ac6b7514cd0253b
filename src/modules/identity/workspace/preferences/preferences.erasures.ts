import type { TenantTx } from '#platform/db'
import { mentionsOf, scanForMentions, toMentionPattern } from '#platform/erasure'
import { definePersonErasure, type ErasedPerson, type ErasureBatch } from '#platform/module'
import { lockPreferencesOf, updatePreferencesRow } from './preferences.queries.ts'

const table = 'identity.user_preferences'
const columns = ['pinned', 'lists']

/** Pinned pages and own views can contain a name or email address, in queries encoded as in a URL. */
export const preferencesErasure = definePersonErasure(table, erasePreferences)

async function erasePreferences(tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> {
  const mentions = mentionsOf(person)
  const { ids, next } = await scanForMentions(tx, {
    table,
    key: 'user_id',
    columns,
    mentions: mentions.flatMap(encodingsOf),
    after,
  })
  const pattern = toMentionPattern(mentions)
  const isAboutOthers = (text: string) => pattern === null || decodeQuery(text).search(pattern) < 0
  for (const { user_id, version, pinned, lists, ...kept } of await lockPreferencesOf(tx, ids))
    await updatePreferencesRow(tx, user_id, {
      ...kept,
      pinned: pinned.filter(isAboutOthers),
      lists: Object.fromEntries(
        Object.entries(lists).map(([key, { columns, views }]) => [
          key,
          { columns, views: views.filter(({ name, search }) => isAboutOthers(name) && isAboutOthers(search)) },
        ]),
      ),
      version: version + 1,
    })
  return { counts: { [table]: ids.length }, ...(next !== null && { next }) }
}

const encodingsOf = (mention: string) => [
  mention,
  encodeURIComponent(mention),
  new URLSearchParams([['', mention]]).toString().slice(1),
]

function decodeQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
