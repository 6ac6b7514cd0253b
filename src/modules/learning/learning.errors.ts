import type { ErrorCatalogue } from '#platform/errors'

export const learningErrors: ErrorCatalogue = {
  self_assessment: {
    status: 403,
    title: 'Own enrollment',
    description: 'Users cannot review, waive or reset modules of their own enrollments.',
    remedy: 'Ask a coach: a manager, an admin or a lead of your team.',
  },
  path_not_published: {
    status: 409,
    title: 'Unpublished path',
    description: 'Users can be enrolled in published paths only.',
    remedy: 'Publish the path, or choose another one.',
  },
  enrollment_closed: {
    status: 409,
    title: 'Closed enrollment',
    description: 'The enrollment is completed, failed or withdrawn, so its modules no longer change.',
    remedy: 'Ask a coach to reset the failed module, or enroll again.',
  },
  module_locked: {
    status: 409,
    title: 'Locked module',
    description: 'Other modules or paths come first, or the module opens later. `locked_by` lists the reasons.',
    remedy: 'Complete what `locked_by` names, then repeat the request.',
  },
  minimum_not_met: {
    status: 409,
    title: 'Not enough time or progress',
    description:
      'The content was not read or watched long enough since the enrollment. `needed` and `seen` have the seconds, `needed_progress` and `seen_progress` the shares.',
    remedy: 'Read or watch the content further, then repeat the request.',
  },
  requirement_not_met: {
    status: 409,
    title: 'Missing practice',
    description:
      'The module needs a passed roleplay that is not private, or an approved pitch, since the enrollment. Voice roleplays count only if the module allows them.',
    remedy: 'Finish the roleplay or the pitch of the module, then repeat the request.',
  },
  use_submit_quiz: {
    status: 409,
    title: 'Quiz module',
    description: 'Quizzes are completed by their answers.',
    remedy: 'Send the answers to `submit-quiz`.',
  },
  not_a_quiz: {
    status: 409,
    title: 'Module without a quiz',
    description: 'The module is not a quiz.',
    remedy: 'Send `complete-module` instead.',
  },
  attempt_required: {
    status: 409,
    title: 'Missing attempt',
    description: 'Timed quizzes and quizzes with drawn questions are answered in an attempt.',
    remedy: 'Start the quiz, then send its `attempt_id` with the answers.',
  },
  attempt_expired: {
    status: 409,
    title: 'Expired attempt',
    description: 'The time limit ended more than 30 seconds ago. The saved answers were graded.',
    remedy: 'Read the enrollment to see its score. Start another attempt if one is left.',
  },
  no_attempts_left: {
    status: 409,
    title: 'No attempts left',
    description: 'All attempts of the quiz are used.',
    remedy: 'Ask a coach to reset the module with extra attempts.',
  },
  attempt_cooldown: {
    status: 409,
    title: 'Attempt too early',
    description: 'The quiz has a pause between attempts. `next_attempt_at` has the end of it.',
    remedy: 'Repeat the request after `next_attempt_at`.',
  },
  already_passed: {
    status: 409,
    title: 'Passed quiz',
    description: 'The quiz is passed, and the best attempt counts.',
    remedy: 'Continue with the next module.',
  },
  not_enough_questions: {
    status: 409,
    title: 'Not enough questions',
    description: 'A question bank has fewer questions than the quiz draws from it.',
    remedy: 'Ask the owner of the path to add questions or to draw fewer.',
  },
  too_many_modules: {
    status: 409,
    title: 'Too many modules',
    description: 'A learning path can have 200 modules.',
    remedy: 'Remove a module, or create another path.',
  },
  last_required_module: {
    status: 409,
    title: 'Last required module',
    description: 'A published path needs a required module.',
    remedy: 'Add another required module first, or archive the path.',
  },
}
