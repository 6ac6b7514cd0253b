import type { ErrorCatalogue } from '#platform/errors'

export const surveyErrors: ErrorCatalogue = {
  already_responded: {
    status: 409,
    title: 'Second response',
    description: 'The survey was already completed with this link or submission, with other answers.',
    remedy: 'Keep the first response. With a public link, use another `submission_id` for another respondent.',
  },
  question_referenced: {
    status: 409,
    title: 'Question in use by conditions',
    description: 'Conditions of other questions name the question. `referenced_by` has the keys of these questions.',
    remedy: 'Change these conditions first.',
  },
  survey_active: {
    status: 409,
    title: 'Active survey',
    description: 'An active or paused survey cannot be deleted.',
    remedy: 'Close the survey first.',
  },
  survey_closed: {
    status: 409,
    title: 'Closed survey',
    description: 'Questions and most fields of a closed survey cannot change.',
    remedy: 'Activate the survey again, or create another one.',
  },
  survey_has_responses: {
    status: 409,
    title: 'Survey with responses',
    description: 'The change would make existing responses or their anonymity meaningless.',
    remedy: 'Create another survey.',
  },
  survey_is_anonymous: {
    status: 409,
    title: 'Anonymous survey',
    description: 'Single responses to an anonymous survey cannot be read or deleted.',
    remedy: 'Use the analytics of the survey.',
  },
  survey_not_active: {
    status: 409,
    title: 'Inactive survey',
    description: 'The survey must be active for this operation.',
    remedy: 'Set `status` of the survey to `active`, then repeat the request.',
  },
  survey_paused: {
    status: 409,
    title: 'Paused survey',
    description: 'The survey does not accept responses while it is paused.',
    remedy: 'Try again later.',
  },
  too_few_recipients: {
    status: 409,
    title: 'Too few recipients',
    description: 'At least twice `min_group_size` of the recipients of an anonymous survey must be contacts or leads.',
    remedy: 'Add contacts or leads to the audience, or send a survey that is not anonymous.',
  },
}
