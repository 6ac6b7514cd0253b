import type { TenantTx } from '#platform/db'
import { invalid, withErrorPathPrefix } from '#platform/errors'
import { deleteTags, insertTags } from '../../records/fields/tags.queries.ts'
import { requiredParam } from './bulk.rules.ts'
import { type BulkParams, bulkLeadFields } from './bulk.schemas.ts'
import { type BulkContext, type LeadBulkAction, withApplyToAll } from './bulk-action.ts'
import { recordFieldChanges } from './record-field-changes.service.ts'
import { restoreFields } from './undo-changes.service.ts'
import { prepareFields, updateLeadFields } from './update-lead-fields.service.ts'
import { updateManyLeads } from './update-many-leads.service.ts'

const maxTags = 50

async function assertTags(_tx: unknown, { tags }: BulkParams): Promise<void> {
  if (!tags) throw requiredParam('tags')
}

type TagChange = {
  name: string
  /** Returns as many tags as the lead has if nothing changes. */
  nextTags(current: readonly string[], tags: readonly string[]): string[]
  store(tx: TenantTx, ids: readonly string[], tags: readonly string[]): Promise<void>
}

const defineTagAction = ({ name, nextTags, store }: TagChange): LeadBulkAction => ({
  name,
  takes: ['tags'],
  assertParams: assertTags,
  ...withApplyToAll((tx, ids, { tags = [] }: BulkParams, by: BulkContext) =>
    updateManyLeads(
      tx,
      ids,
      {
        columnsFor(lead) {
          const next = nextTags(lead.tags, tags)
          return next.length === lead.tags.length ? undefined : { tags: next }
        },
        fieldsOf: () => ['tags'],
        async onUpdated(changes) {
          const changedIds = changes.map(({ after: { id } }) => id)
          await store(tx, changedIds, tags)
          await recordFieldChanges(tx, changes, () => ['tags'], by)
        },
      },
      by.now,
    ),
  ),
  undo: { fields: ['tags'], restore: restoreFields },
})

const addTags = defineTagAction({
  name: 'add_tags',
  nextTags(current, tags) {
    const next = [...new Set([...current, ...tags])]
    if (next.length > maxTags)
      throw invalid('body', '/params/tags', 'too_many', `A lead must not have more than ${maxTags} tags.`)
    return next
  },
  async store(tx, ids, tags) {
    await insertTags(
      tx,
      'lead',
      ids.map((id) => ({ id, tags })),
    )
  },
})

const removeTags = defineTagAction({
  name: 'remove_tags',
  nextTags: (current, tags) => current.filter((tag) => !tags.includes(tag)),
  store: (tx, ids, tags) => deleteTags(tx, 'lead', ids, tags),
})

const updateFields: LeadBulkAction = {
  name: 'update_fields',
  takes: ['fields'],
  async assertParams(tx, { fields }: BulkParams, { now }) {
    if (!fields) throw requiredParam('fields')
    await withErrorPathPrefix('/fields', () => prepareFields(tx, fields, now))
  },
  ...withApplyToAll((tx, ids, { fields = {} }: BulkParams, by) => updateLeadFields(tx, ids, fields, by)),
  undo: { fields: bulkLeadFields, restore: restoreFields },
}

export const fieldActions: LeadBulkAction[] = [addTags, removeTags, updateFields]
