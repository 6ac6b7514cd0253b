import type { Module } from '#platform/module'
import { pitchCommentRoutes } from './comments/comments.routes.ts'
import { endEvaluationHandler, onEvaluationTaskEnded } from './evaluation/end-evaluation.jobs.ts'
import { evaluateRecordingHandler } from './evaluation/evaluate-recording.jobs.ts'
import { pitchEvaluationRoutes } from './evaluation/evaluation.routes.ts'
import { pitchChecks } from './integrity/pitch.checks.ts'
import { pitchErrors } from './pitches.errors.ts'
import * as events from './pitches.events.ts'
import { pitchPresenters } from './pitches.presenters.ts'
import { pitchTables } from './pitches.tables.ts'
import { notifyAssigneesHandler, onPromptAssigned } from './prompts/notify-assignees.jobs.ts'
import { promptRoutes } from './prompts/prompts.routes.ts'
import { pitchReviewRoutes } from './reviews/reviews.routes.ts'
import { pitchSample } from './sample-data/pitch-sample.ts'
import { pitchErasure } from './submissions/submissions.erasures.ts'
import { submissionRoutes } from './submissions/submissions.routes.ts'
import { deletePitchVideosSchedule } from './videos/delete-videos.jobs.ts'
import { videoSettings } from './videos/video-settings.ts'
import { pitchVideoPurpose } from './videos/videos.purposes.ts'
import { pitchVideoRoutes } from './videos/videos.routes.ts'

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
