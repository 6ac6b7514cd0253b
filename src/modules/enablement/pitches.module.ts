import type { Module } from '#platform/module'
import { pitchCommentRoutes } from './pitch-comments/comments.routes.ts'
import { endEvaluationHandler, onEvaluationTaskEnded } from './pitch-evaluation/end-evaluation.jobs.ts'
import { evaluateRecordingHandler } from './pitch-evaluation/evaluate-recording.jobs.ts'
import { pitchEvaluationRoutes } from './pitch-evaluation/evaluation.routes.ts'
import { pitchChecks } from './pitch-integrity/pitch.checks.ts'
import { notifyAssigneesHandler, onPromptAssigned } from './pitch-prompts/notify-assignees.jobs.ts'
import { promptRoutes } from './pitch-prompts/prompts.routes.ts'
import { pitchReviewRoutes } from './pitch-reviews/reviews.routes.ts'
import { pitchSample } from './pitch-sample-data/pitch-sample.ts'
import { pitchErasure } from './pitch-submissions/pitch-erasure.ts'
import { submissionRoutes } from './pitch-submissions/submissions.routes.ts'
import { deletePitchVideosSchedule } from './pitch-videos/delete-videos.jobs.ts'
import { pitchVideoPurpose } from './pitch-videos/pitch-video-purpose.ts'
import { videoSettings } from './pitch-videos/video-settings.ts'
import { pitchVideoRoutes } from './pitch-videos/videos.routes.ts'
import { pitchErrors } from './pitches.errors.ts'
import * as events from './pitches.events.ts'
import { pitchPresenters } from './pitches.presenters.ts'
import { pitchTables } from './pitches.tables.ts'

export const pitches: Module = {
  name: 'pitches',
  purpose: 'Recorded pitches, their evaluation and their reviews.',
  uses: ['identity', 'coaching'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(promptRoutes(services))
    await app.register(submissionRoutes(services))
    await app.register(pitchVideoRoutes(services))
    await app.register(pitchEvaluationRoutes(services))
    await app.register(pitchReviewRoutes)
    await app.register(pitchCommentRoutes)
  },
  tables: pitchTables,
  errors: pitchErrors,
  events: Object.values(events),
  schedules: (services) => [deletePitchVideosSchedule(services)],
  jobs: (services) => [notifyAssigneesHandler, evaluateRecordingHandler(services), endEvaluationHandler],
  subscriptions: [onPromptAssigned, onEvaluationTaskEnded],
  integrityChecks: (services) => pitchChecks(services),
  sampleData: (services) => [pitchSample(services)],
  erasures: [pitchErasure],
  eventPresenters: pitchPresenters,
  settings: [videoSettings],
  filePurposes: () => [pitchVideoPurpose],
}
