import { completeCriteria } from '#modules/coaching'
import { assertAssignable, findUserCards } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, invalid, notFound, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { promptActivated, promptArchived, promptCreated, promptDeleted, promptUpdated } from '../pitches.events.ts'
import { assignPrompt } from './assign-prompt.service.ts'
import { presentPrompts } from './present-prompt.service.ts'
import type { AssertPromptUnused, PromptRow } from './prompt-row.ts'
import { deletePromptRow, insertPrompt, listPromptRows, lockPrompt, updatePromptRow } from './prompts.queries.ts'
import {
  assertEnoughReviewers,
  assertPromptTransition,
  assertValidCriteria,
  canEditPrompt,
  canSeePrompt,
} from './prompts.rules.ts'
import type { NewPrompt, Prompt, PromptChanges, PromptQuery } from './prompts.schemas.ts'
import { hasSubmissions, lockExemplarShared } from './takes.queries.ts'

export async function listPitchPrompts(tx: TenantTx, actor: UserActor, query: PromptQuery): Promise<Page<Prompt>> {
  const page = await listPromptRows(tx, actor, query)
  return { ...page, items: await presentPrompts(tx, page.items, toViewer(actor)) }
}

const toViewer = (actor: UserActor) => ({
  userId: actor.userId,
  isAuthor: (prompt: PromptRow) => canEditPrompt(prompt, actor),
})

async function presentPrompt(tx: TenantTx, actor: UserActor, prompt: PromptRow): Promise<Prompt> {
  const [presented] = await presentPrompts(tx, [prompt], toViewer(actor))
  return presented!
}

export async function createPitchPrompt(
  tx: TenantTx,
  actor: UserActor,
  { assign, criteria, ...input }: NewPrompt,
  { now }: { now: Date },
): Promise<Prompt> {
  assertValidCriteria(criteria)
  await assertReviewers(tx, input.reviewer_ids)
  const prompt = await insertPrompt(tx, {
    ...input,
    id: newId(),
    criteria: JSON.stringify(completeCriteria(criteria)),
    owner_id: actor.userId,
    created_by: actor.userId,
    created_at: now,
  })
  assertEnoughReviewers(prompt.reviewer_ids, prompt.min_reviews)
  await recordAudit(tx, 'pitch_prompt.created', { id: prompt.id, label: prompt.title, after: prompt })
  await emit(tx, promptCreated, prompt, { title: prompt.title })
  if (assign) await assignPrompt(tx, prompt, assign)
  return await presentPrompt(tx, actor, prompt)
}

/** Viewers cannot review, because they have no right to write. */
async function assertReviewers(tx: TenantTx, reviewerIds: readonly string[] = []): Promise<void> {
  const cards = await findUserCards(tx, reviewerIds)
  for (const [index, id] of reviewerIds.entries()) {
    const path = `/reviewer_ids/${index}`
    if (cards.get(id)?.status !== 'active') throw unknownReference(path, 'active user')
    if (cards.get(id)?.role === 'viewer') throw invalid('body', path, 'not_allowed', 'Viewers cannot review.')
  }
}

type UpdateInput = { changes: PromptChanges; expectedVersion?: number }

export async function updatePitchPrompt(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: { assign, criteria, ...requested }, expectedVersion }: UpdateInput,
): Promise<Prompt> {
  const prompt = await lockPrompt(tx, id)
  if (!canSeePrompt(prompt, actor)) throw notFound('prompt')
  if (!canEditPrompt(prompt, actor)) throw roleRequired('Only the owner, managers and admins can change a prompt.')
  assertVersion(prompt, expectedVersion)
  if (criteria) assertValidCriteria(criteria)
  const changes: Partial<PromptRow> = changedFields(prompt, {
    ...requested,
    ...(criteria && { criteria: completeCriteria(criteria) }),
  })
  await assertAllowedChanges(tx, prompt, changes)
  const updated = Object.keys(changes).length ? await storeChanges(tx, prompt, changes) : prompt
  if (assign) await assignPrompt(tx, updated, assign)
  return await presentPrompt(tx, actor, updated)
}

async function assertAllowedChanges(tx: TenantTx, prompt: PromptRow, changes: Partial<PromptRow>): Promise<void> {
  const { status, owner_id, reviewer_ids, exemplar_submission_id: exemplarId } = changes
  if (status) assertPromptTransition(prompt, status)
  if (owner_id) await assertAssignable(tx, owner_id)
  await assertReviewers(tx, reviewer_ids)
  const { reviewer_ids: reviewers, min_reviews } = { ...prompt, ...changes }
  assertEnoughReviewers(reviewers, min_reviews)
  if (exemplarId && !(await lockExemplarShared(tx, prompt.id, exemplarId)))
    throw unknownReference('/exemplar_submission_id', 'exemplar of the prompt')
}

async function storeChanges(tx: TenantTx, prompt: PromptRow, changes: Partial<PromptRow>): Promise<PromptRow> {
  const { id } = prompt
  const updated = await updatePromptRow(tx, id, {
    ...changes,
    ...(changes.criteria && {
      criteria: JSON.stringify(changes.criteria),
      criteria_version: prompt.criteria_version + 1,
    }),
  } as object)
  await recordAudit(tx, 'pitch_prompt.updated', { id, label: updated.title, before: prompt, after: updated })
  await emit(tx, promptUpdated, updated, { changed: Object.keys(changes) })
  if (changes.status === 'active') await emit(tx, promptActivated, updated, {})
  if (changes.status === 'archived') await emit(tx, promptArchived, updated, {})
  return updated
}

type DeleteInput = { assertUnused: readonly AssertPromptUnused[]; expectedVersion?: number; now: Date }

/** Submissions keep their copy of the prompt, and their reviewers until the prompt is purged. */
export async function deletePitchPrompt(
  tx: TenantTx,
  id: string,
  { assertUnused, expectedVersion, now }: DeleteInput,
): Promise<void> {
  const prompt = await lockPrompt(tx, id)
  assertVersion(prompt, expectedVersion)
  for (const assertUnusedBy of assertUnused) await assertUnusedBy(tx, prompt)
  if (await hasSubmissions(tx, id)) await updatePromptRow(tx, id, { deleted_at: now })
  else await deletePromptRow(tx, id)
  await recordAudit(tx, 'pitch_prompt.deleted', { id, label: prompt.title, before: prompt })
  await emit(tx, promptDeleted, prompt, {})
}
