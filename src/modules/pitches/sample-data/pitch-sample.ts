import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserActor } from '#platform/access'
import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { deleteFilesNow } from '#platform/files'
import { newId } from '#platform/ids'
import type { IntegrityRun, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { createPitchComment } from '../comments/comments.service.ts'
import { evaluatePitch } from '../evaluation/evaluate-pitch.rules.ts'
import { claimEvaluation } from '../evaluation/evaluation.queries.ts'
import { storeEvaluation } from '../evaluation/store-evaluation.service.ts'
import { createPitchPrompt, updatePitchPrompt } from '../prompts/prompts.service.ts'
import { reviewPitchSubmission } from '../reviews/reviews.service.ts'
import { createPitchSubmission } from '../submissions/create-submission.service.ts'
import { lockSubmission } from '../submissions/submissions.queries.ts'
import { updatePitchSubmission } from '../submissions/update-submission.service.ts'
import { pitchVideoPurpose } from '../videos/videos.purposes.ts'
import { uploadPitchVideo } from '../videos/videos.service.ts'
import { deleteSamplePitches } from './remove-sample.queries.ts'
import { type SamplePitch, type SamplePrompt, samplePitches, samplePrompts } from './sample-pitches.ts'

const promptDays = 20
const claimSeconds = 60

/** Prompts with pitches, which are evaluated with rules; some have a short video, reviews and comments. */
export const pitchSample = ({ clock }: Pick<Services, 'clock'>): SampleData => ({
  name: 'pitch',
  plan: ({ now }) => [
    ...samplePrompts.map((prompt) => promptStep(prompt, now)),
    ...samplePitches.flatMap((pitch) => [
      submissionStep(pitch, now),
      ...reviewSteps(pitch),
      ...commentSteps(pitch),
      ...exemplarSteps(pitch, now),
    ]),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
    await inTenant(async (tx) => {
      const ids = { prompts: idsOf('pitch_prompt'), submissions: idsOf('pitch_submission') }
      await deleteFilesNow(tx, { clock }, await deleteSamplePitches(tx, ids))
    })
    return []
  },
})

function promptStep({ key, author, team, dueInDays, prompt }: SamplePrompt, now: Date): SampleStep {
  const due_on = daysLater(now, dueInDays).toISOString().slice(0, 10)
  return {
    author,
    async run(tx, actor, idOf) {
      const assign = { team_ids: [idOf(team)], due_on }
      const { id } = await createPitchPrompt(tx, actor, { ...prompt, assign }, { now: daysLater(now, -promptDays) })
      await updatePitchPrompt(tx, actor, id, { changes: { status: 'active' } })
      return [{ key, resource_type: 'pitch_prompt', id }]
    },
  }
}

const contextAt = (now: Date, daysAgo: number) => ({ files: null, clock: { now: () => daysLater(now, -daysAgo) } })
const promptKeyOf = ({ prompt }: SamplePitch) => `pitch_prompt:${prompt}`
const byAuthor = (author: string | undefined) => (author ? { author } : {})

function submissionStep(pitch: SamplePitch, now: Date): SampleStep {
  const { key, author, transcript, seconds, hasVideo } = pitch
  const context = contextAt(now, pitch.daysAgo)
  const recording = { transcript, duration_seconds: seconds }
  return {
    ...byAuthor(author),
    ...(hasVideo && {
      file: {
        purpose: pitchVideoPurpose.name,
        filename: 'pitch.mp4',
        type: 'mp4',
        content: readFileSync(join(import.meta.dirname, 'sample-clip.mp4')),
      },
    }),
    async run(tx, actor, idOf, file) {
      const fields = file ? {} : recording
      const { id } = await createPitchSubmission(tx, context, actor, idOf(promptKeyOf(pitch)), fields)
      if (file) await uploadPitchVideo(tx, context, actor, id, { file, fields: recording })
      await evaluateSample(tx, id, context.clock.now())
      return [{ key, resource_type: 'pitch_submission', id }]
    },
  }
}

/** Scores with rules only, because sample data calls no model. */
async function evaluateSample(tx: TenantTx, id: string, now: Date): Promise<void> {
  const { prompt_snapshot, transcript, duration_seconds } = await lockSubmission(tx, id)
  const recording = { transcript: transcript!, segments: null, durationSeconds: Number(duration_seconds) }
  const provenance = { engine: 'rules', model: null, fallback_reason: null } as const
  const claimId = newId()
  await claimEvaluation(tx, id, { claimId, now, until: secondsLater(now, claimSeconds) })
  const evaluation = evaluatePitch(prompt_snapshot, recording, { provenance })
  await storeEvaluation(tx, id, { evaluation, holder: { claimId } })
}

function reviewSteps({ key, review, prompt }: SamplePitch): SampleStep[] {
  if (!review) return []
  const { author, score, decision, comment } = review
  const scores = samplePrompts[prompt - 1]!.prompt.criteria.map(({ key: criterion }) => ({ key: criterion, score }))
  return [step(author, (tx, actor, id) => reviewPitchSubmission(tx, actor, id, { scores, decision, comment }), key)]
}

function commentSteps({ key, comment, author }: SamplePitch): SampleStep[] {
  if (!comment) return []
  const { author: commenter, at, body, reply } = comment
  return [
    step(commenter, (tx, actor, id) => createPitchComment(tx, actor, id, { body, at_seconds: at }), key),
    ...(reply
      ? [step(author, (tx, actor, id) => createPitchComment(tx, actor, id, { body: reply, at_seconds: at }), key)]
      : []),
  ]
}

function exemplarSteps(pitch: SamplePitch, now: Date): SampleStep[] {
  if (!pitch.isExemplar) return []
  const { key, author } = pitch
  const context = contextAt(now, 0)
  const set =
    (changes: { exemplar_consent: true } | { is_exemplar: true }) => (tx: TenantTx, actor: UserActor, id: string) =>
      updatePitchSubmission(tx, context, actor, id, { changes })
  return [
    step(author, set({ exemplar_consent: true }), key),
    step(samplePrompts[pitch.prompt - 1]!.author, set({ is_exemplar: true }), key),
    {
      author: samplePrompts[pitch.prompt - 1]!.author,
      async run(tx, actor, idOf) {
        const changes = { exemplar_submission_id: idOf(key) }
        await updatePitchPrompt(tx, actor, idOf(promptKeyOf(pitch)), { changes })
        return []
      },
    },
  ]
}

const step = (
  author: string | undefined,
  run: (tx: TenantTx, actor: UserActor, id: string) => Promise<unknown>,
  key: string,
): SampleStep => ({
  ...byAuthor(author),
  async run(tx, actor, idOf) {
    await run(tx, actor, idOf(key))
    return []
  },
})
