import { findUserCards } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { findReviewing, listReviewing } from './prompts.queries.ts'

/** The listed users who can still review, and how many reviewers a submission needs. */
export type PromptReviewers = { promptId: string; activeIds: readonly string[]; needed: number }

export async function readReviewers(tx: TenantTx, promptId: string | null): Promise<PromptReviewers | undefined> {
  const prompt = promptId === null ? undefined : await findReviewing(tx, promptId)
  return prompt && (await withActiveReviewers(tx, [prompt]))[0]
}

export const listPromptReviewers = async (tx: TenantTx): Promise<PromptReviewers[]> =>
  withActiveReviewers(tx, await listReviewing(tx))

async function withActiveReviewers(
  tx: TenantTx,
  prompts: Awaited<ReturnType<typeof listReviewing>>,
): Promise<PromptReviewers[]> {
  const cards = await findUserCards(
    tx,
    prompts.flatMap(({ reviewer_ids }) => reviewer_ids),
  )
  const canReview = (id: string) => cards.get(id)?.status === 'active' && cards.get(id)?.role !== 'viewer'
  return prompts.map(({ id, reviewer_ids, min_reviews }) => ({
    promptId: id,
    activeIds: reviewer_ids.filter(canReview),
    needed: Math.max(1, min_reviews),
  }))
}

/** Coaches review if the prompt lists no reviewers, or too few are left besides the author. */
export const isReviewedByCoaches = (reviewers: PromptReviewers | undefined, authorId: string): boolean =>
  !reviewers || reviewers.activeIds.filter((id) => id !== authorId).length < reviewers.needed
