import type { TenantTx } from '#platform/db'
import { withErrorPathPrefix } from '#platform/errors'
import { deleteTags, insertTags } from '../../records/fields/tags.queries.ts'
import { requiredParam } from '../bulk/bulk.rules.ts'
import { type BulkAction, type BulkContext, withApplyToAll } from '../bulk/bulk-action.ts'
import { addTagsTo, assertTagParams, removeTagsFrom } from '../bulk/tag-params.rules.ts'
import { type BulkParams, bulkLeadFields } from './lead-bulk.schemas.ts'
import { recordFieldChanges } from './record-field-changes.service.ts'
import { restoreFields } from './restore-lead-values.service.ts'
import { prepareFields, updateLeadFields } from './update-lead-fields.service.ts'
import { updateManyLeads } from './update-many-leads.service.ts'

type TagChange = {
  name: string
  /** Returns as many tags as the lead has if nothing changes. */
  nextTags(current: readonly string[], tags: readonly string[]): string[]
  store(tx: TenantTx, ids: readonly string[], tags: readonly string[]): Promise<void>
}

const defineTagAction = ({ name, nextTags, store }: TagChange): BulkAction => ({
  name,
  takes: ['tags'],
  assertParams: assertTagParams,
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
  nextTags: addTagsTo('lead'),
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
  nextTags: removeTagsFrom,
  store: (tx, ids, tags) => deleteTags(tx, 'lead', ids, tags),
})

const updateFields: BulkAction = {
  name: 'update_fields',
  takes: ['fields'],
  async assertParams(tx, { fields }: BulkParams, { now }) {
    if (!fields) throw requiredParam('fields')
    await withErrorPathPrefix('/fields', () => prepareFields(tx, fields, now))
  },
  ...withApplyToAll((tx, ids, { fields = {} }: BulkParams, by) => updateLeadFields(tx, ids, fields, by)),
  undo: { fields: bulkLeadFields, restore: restoreFields },
}

export const fieldActions: BulkAction[] = [addTags, removeTags, updateFields]
