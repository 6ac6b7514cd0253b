import { mutualDeactivation, mutualDemotion } from './admins.race.ts'
import { addressesAgainstEnrolling, conversionAgainstRun, mergeAgainstRun } from './cadence-persons.race.ts'
import { optOutAgainstRun, pauseAgainstRun, replyAgainstRun } from './cadence-runs.race.ts'
import { assigneeAgainstSender } from './cadence-tasks.race.ts'
import { archiveAgainstEnroll, enrollmentsOfOnePerson, stepsAgainstEnroll, stepsAgainstRun } from './cadences.race.ts'
import { finishAgainstSchedule, finishesAtOnce, messageAgainstFinish, messagesAtOnce } from './coaching.race.ts'
import { answersAcceptedAtOnce, hidingAgainstDeletion, reportsAtOnce } from './community-moderation.race.ts'
import { repliesAgainstDeletions, replyAgainstThreadDeletion } from './community-replies.race.ts'
import { bulkAgainstDelete, concurrentAssignments, contactBulkAgainstDelete } from './crm-assign.race.ts'
import { consentOfTwoRecords, optOutAgainstNewRecords } from './crm-consent.race.ts'
import { mergeAgainstDeal, mergeAgainstMatch } from './crm-contacts.race.ts'
import { leadConvertedTwice, mergeAgainstConvert, sameEmailConverted } from './crm-convert.race.ts'
import { cancelAgainstBatch, editAgainstUndo, erasureAgainstImport, importRunTwice } from './crm-imports.race.ts'
import { rulesAgainstRescore } from './crm-rescore.race.ts'
import { distributionsToOneAddress } from './distributions.race.ts'
import { declineAgainstBreach, deletionAgainstAnswer, requestsForOneSlot } from './experts.race.ts'
import { keyRotatedTwice, keyRotatedWhileUsed } from './keys.race.ts'
import {
  enrollAgainstTeamJob,
  lastModulesAtOnce,
  removalAgainstCompletion,
  renewalsAtOnce,
  submitAgainstDeadline,
  submitsOfTheLastAttempt,
} from './learning.race.ts'
import { linkUsedTwice, loginAgainstPasswordChange } from './password.race.ts'
import {
  deletionAgainstDownload,
  evaluationsAtOnce,
  reviewAgainstUpload,
  reviewsAtOnce,
  takesAtOnce,
} from './pitch.race.ts'
import type { Race } from './race.ts'
import { markAgainstRecompute } from './readiness.race.ts'
import { parallelRefresh, refreshAgainstLogout } from './refresh.race.ts'
import {
  responseAgainstClose,
  responseAgainstQuestionDeletion,
  responsesAboveTheLimit,
  submitsWithOneToken,
} from './surveys.race.ts'
import { actorEvaluatedTwice, rebuildAgainstIngest } from './usage.race.ts'

export const races: Race[] = [
  parallelRefresh,
  refreshAgainstLogout,
  loginAgainstPasswordChange,
  mutualDemotion,
  mutualDeactivation,
  linkUsedTwice,
  keyRotatedWhileUsed,
  keyRotatedTwice,
  leadConvertedTwice,
  sameEmailConverted,
  mergeAgainstConvert,
  mergeAgainstDeal,
  mergeAgainstMatch,
  concurrentAssignments,
  bulkAgainstDelete,
  contactBulkAgainstDelete,
  optOutAgainstNewRecords,
  consentOfTwoRecords,
  enrollmentsOfOnePerson,
  archiveAgainstEnroll,
  stepsAgainstEnroll,
  stepsAgainstRun,
  optOutAgainstRun,
  replyAgainstRun,
  pauseAgainstRun,
  assigneeAgainstSender,
  conversionAgainstRun,
  mergeAgainstRun,
  addressesAgainstEnrolling,
  repliesAgainstDeletions,
  replyAgainstThreadDeletion,
  answersAcceptedAtOnce,
  hidingAgainstDeletion,
  reportsAtOnce,
  actorEvaluatedTwice,
  rebuildAgainstIngest,
  distributionsToOneAddress,
  submitsWithOneToken,
  responsesAboveTheLimit,
  responseAgainstClose,
  responseAgainstQuestionDeletion,
  messagesAtOnce,
  messageAgainstFinish,
  finishesAtOnce,
  finishAgainstSchedule,
  requestsForOneSlot,
  declineAgainstBreach,
  deletionAgainstAnswer,
  markAgainstRecompute,
  takesAtOnce,
  reviewsAtOnce,
  reviewAgainstUpload,
  evaluationsAtOnce,
  deletionAgainstDownload,
  submitsOfTheLastAttempt,
  submitAgainstDeadline,
  lastModulesAtOnce,
  removalAgainstCompletion,
  renewalsAtOnce,
  enrollAgainstTeamJob,
  // These start a worker, which then works off the jobs and sends the emails of the other races too.
  rulesAgainstRescore,
  importRunTwice,
  cancelAgainstBatch,
  editAgainstUndo,
  erasureAgainstImport,
]
