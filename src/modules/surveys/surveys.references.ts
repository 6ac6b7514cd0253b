import type { MergeReference } from '#platform/module'

/** Invitations and responses belong to the person, whichever record remains. */
const follows = (to: MergeReference['to'], column: string): MergeReference => ({
  column: `surveys.${column}`,
  to,
  followsMerge: true,
})

/** In the global lock order. */
export const surveyReferences: MergeReference[] = (['invitations', 'responses'] as const).flatMap((table) => [
  follows('lead', `${table}.lead_id`),
  follows('contact', `${table}.contact_id`),
  follows('account', `${table}.account_id`),
])
