import { Type } from 'typebox'
import { contentArchived, contentDeleted } from '#events/library'
import { filterActiveUserIds, listManagerIdsToNotify } from '#modules/identity'
import { listReplacements } from '#modules/library'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { emit, subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { moduleUpdated } from '../learning.events.ts'
import type { ModuleRow } from '../records/module-row.ts'
import { listModulesOfPath, updateModuleRow } from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import { waiveModule } from './apply-modules.service.ts'
import { lockPathsWithContent } from './module-enrollments.queries.ts'

const contentHidden = defineNotification('learning.content_hidden', {
  description: 'content of your learning path was archived without a replacement',
  payload: strict({ path_id: Id, title: Type.String(), module: Type.String() }),
  text: ({ path_id, title, module }) => ({
    title: `Missing content: ${title}`,
    body: `The content of the module "${module}" is no longer available. Learners are excused from it.`,
    path: `/learning/paths/${path_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

/** Modules follow the replacement of their content. Without one, open enrollments are excused from the module. */
export const onLearningContentHidden = subscribe(
  [contentArchived, contentDeleted],
  'enablement.replace_learning_content',
  async (tx, { subject: { id } }) => {
    const replacementId = (await listReplacements(tx, [id])).get(id)
    for (const path of await lockPathsWithContent(tx, id))
      for (const module of await listModulesOfPath(tx, path.id))
        if (module.content_item_id === id)
          await (replacementId ? replaceContent(tx, path, module, replacementId) : hideContent(tx, path, module))
  },
)

async function replaceContent(tx: TenantTx, path: PathRow, before: ModuleRow, contentItemId: string): Promise<void> {
  const after = await updateModuleRow(tx, before.id, { content_item_id: contentItemId })
  const { id, content_item_id } = after
  await recordAudit(tx, 'learning_path.module_updated', {
    id: path.id,
    label: path.title,
    before: { module_id: id, content_item_id: before.content_item_id },
    after: { module_id: id, content_item_id },
  })
  await emit(tx, moduleUpdated, path, { module_id: id, kind: after.kind })
}

async function hideContent(tx: TenantTx, path: PathRow, module: ModuleRow): Promise<void> {
  await waiveModule(tx, path, module)
  const { id, title } = path
  for (const userId of await listRecipients(tx, path))
    await notify(
      tx,
      userId,
      contentHidden,
      { path_id: id, title, module: module.title },
      { resource: { type: 'learning_path', id }, dedupeKey: `module:${module.id}:${module.content_item_id}` },
    )
}

/** The owner of a published path, or managers if the owner is not active. */
async function listRecipients(tx: TenantTx, { owner_id, status }: PathRow): Promise<string[]> {
  if (status !== 'published') return []
  const owners = await filterActiveUserIds(tx, owner_id ? [owner_id] : [])
  return owners.size ? [...owners] : await listManagerIdsToNotify(tx)
}
