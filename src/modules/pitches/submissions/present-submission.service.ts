import { findUserNames, toUserReference } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { type FileRow, type Files, findFiles } from '#platform/files'
import { presentCriteria } from '../prompts/prompts.rules.ts'
import { type CommentRow, listComments, listReviews, type ReviewRow } from './feedback.queries.ts'
import type { PitchComment, PitchReview } from './feedback.schemas.ts'
import { isInvolved, type SubmissionAccess } from './submission-access.service.ts'
import type { SubmissionRow } from './submission-row.ts'
import { toNumber } from './submissions.rules.ts'
import type { Submission, SubmissionSummary, Video } from './submissions.schemas.ts'

/** Without `files`, as in sample data, videos have no URL. */
export type PitchContext = { files: Pick<Files, 'tickets'> | null; clock: Clock }

export async function presentSubmission(
  tx: TenantTx,
  { files }: PitchContext,
  actor: UserActor,
  submission: SubmissionRow,
  access: SubmissionAccess,
): Promise<Submission> {
  const showsFeedback = isInvolved(access)
  const [[summary], reviews, comments, file] = await Promise.all([
    summarizeSubmissions(tx, [submission]),
    showsFeedback ? listReviews(tx, submission.id) : [],
    showsFeedback ? listComments(tx, submission.id) : [],
    findVideo(tx, submission),
  ])
  const {
    prompt_snapshot: snapshot,
    transcript,
    transcript_source,
    segments,
    evaluation,
    evaluation_error,
  } = submission
  const hidden = { ai_score: null, human_score: null, final_score: null, passed: null }
  return {
    ...summary!,
    ...(!showsFeedback && hidden),
    duration_seconds: durationOf(submission, file),
    instructions: snapshot.instructions,
    criteria: presentCriteria(snapshot.criteria, { isAuthor: isManagerOrAdmin(actor.role) }),
    criteria_version: snapshot.criteria_version,
    passing_score: snapshot.passing_score,
    min_reviews: snapshot.min_reviews,
    transcript,
    transcript_source,
    segments,
    evaluation: showsFeedback ? evaluation : null,
    evaluation_error: showsFeedback ? evaluation_error : null,
    video: presentVideo(tx, files, submission, file),
    reviews: await presentReviews(tx, reviews),
    comments: await presentComments(tx, comments),
  }
}

export const findVideo = async (tx: TenantTx, { file_id }: SubmissionRow): Promise<FileRow | undefined> =>
  file_id === null ? undefined : (await findFiles(tx, [file_id])).get(file_id)

/** The duration that the author gave, else the measured one. */
export const durationOf = ({ duration_seconds }: SubmissionRow, file: FileRow | undefined): number | null =>
  toNumber(duration_seconds ?? file?.duration_seconds ?? null)

function presentVideo(
  tx: TenantTx,
  files: PitchContext['files'],
  submission: SubmissionRow,
  file: FileRow | undefined,
): Video | null {
  const { id, video_deleted_at: deleted_at } = submission
  if (!file && !deleted_at) return null
  const { tenantId, userId } = actorOf(tx)
  const ticket = file && files?.tickets.issue({ tenantId: tenantId!, fileId: file.id, userId })
  return {
    stream_url: ticket ? `${videoUrl(id)}?ticket=${ticket}` : null,
    media_type: file?.media_type ?? null,
    size_bytes: file?.size_bytes ?? null,
    duration_seconds: durationOf(submission, file),
    deleted_at,
  }
}

const videoUrl = (id: string) => `/api/enablement/pitch/submissions/${id}/video`

export async function presentReviews(tx: TenantTx, reviews: readonly ReviewRow[]): Promise<PitchReview[]> {
  const names = await findUserNames(
    tx,
    reviews.flatMap(({ reviewer_id }) => reviewer_id ?? []),
  )
  return reviews.map((review) => ({
    ...review,
    score: Number(review.score),
    reviewer: toUserReference(names, review.reviewer_id),
  }))
}

export async function presentComments(tx: TenantTx, comments: readonly CommentRow[]): Promise<PitchComment[]> {
  const names = await findUserNames(
    tx,
    comments.flatMap(({ author_id }) => author_id ?? []),
  )
  return comments.map((comment) => ({
    ...comment,
    at_seconds: toNumber(comment.at_seconds),
    author: toUserReference(names, comment.author_id),
  }))
}

export async function summarizeSubmissions(tx: TenantTx, rows: readonly SubmissionRow[]): Promise<SubmissionSummary[]> {
  const names = await findUserNames(
    tx,
    rows.map(({ user_id }) => user_id),
  )
  return rows.map(({ prompt_snapshot: { title, time_limit_seconds }, ...row }) => ({
    id: row.id,
    prompt_id: row.prompt_id,
    prompt: { title, time_limit_seconds },
    user_id: row.user_id,
    user: toUserReference(names, row.user_id)!,
    is_practice: row.is_practice,
    take_no: row.take_no,
    title: row.title,
    status: row.status,
    review_requested: row.review_requested,
    due_on: row.due_on,
    has_video: row.file_id !== null,
    has_transcript: row.transcript !== null,
    duration_seconds: toNumber(row.duration_seconds),
    evaluation_state: row.evaluation_state,
    ai_score: row.ai_score,
    human_score: toNumber(row.human_score),
    final_score: toNumber(row.final_score),
    passed: row.passed,
    is_exemplar: row.is_exemplar,
    exemplar_consent: row.exemplar_consent,
    submitted_at: row.submitted_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }))
}
