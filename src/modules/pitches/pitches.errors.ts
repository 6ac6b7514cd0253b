import type { ErrorCatalogue } from '#platform/errors'

export const pitchErrors: ErrorCatalogue = {
  self_review: {
    status: 403,
    title: 'Own pitch',
    description: 'Users cannot review their own pitches.',
    remedy: 'Ask another reviewer.',
  },
  prompt_not_active: {
    status: 409,
    title: 'Inactive prompt',
    description: 'New takes need an active prompt. Takes of an archived prompt can still be reviewed.',
    remedy: 'Choose an active prompt, or ask its owner to activate it.',
  },
  draft_exists: {
    status: 409,
    title: 'Open draft',
    description: 'A user has one draft per prompt. `submission_id` has its id.',
    remedy: 'Upload the recording of the draft, or delete it, then repeat the request.',
  },
  no_takes_left: {
    status: 409,
    title: 'No takes left',
    description: 'The user has used all takes of the prompt. Deleted takes count too.',
    remedy: 'Practice without the prompt, or ask its owner for more takes.',
  },
  not_submitted: {
    status: 409,
    title: 'Draft without a recording',
    description: 'The pitch has neither a recording nor a transcript, so it cannot be scored or shown.',
    remedy: 'Upload a recording or a transcript first.',
  },
  already_submitted: {
    status: 409,
    title: 'Submitted work',
    description:
      'The pitch or the attempt at a quiz was submitted, so it cannot be submitted again. The author cannot delete a submitted pitch.',
    remedy: 'Start another take or attempt.',
  },
  transcript_required: {
    status: 409,
    title: 'Missing transcript',
    description:
      'The pitch has a recording without a transcript, and the workspace or the server has no program or provider to transcribe it.',
    remedy: 'Submit another take with a transcript, or configure a provider of transcription.',
  },
  consent_required: {
    status: 409,
    title: 'Missing consent',
    description: 'A pitch becomes an exemplar only with the consent of its author.',
    remedy: 'Ask the author to set `exemplar_consent`.',
  },
  video_deleted: {
    status: 410,
    title: 'Deleted video',
    description: 'The video was deleted when its retention period ended. Transcript, scores and comments stay.',
    remedy: 'Read the transcript instead.',
  },
  transcription_failed: {
    status: 422,
    title: 'Failed transcription',
    description: 'The recording of a pitch could not be transcribed. The message of the task gives the reason.',
    remedy: 'Start the evaluation again, or submit another take with a transcript.',
  },
}
