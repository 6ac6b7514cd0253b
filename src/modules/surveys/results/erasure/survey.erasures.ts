import { definePersonErasure } from '#platform/module'
import {
  deleteDraftsOf,
  eraseAnsweredAddresses,
  eraseAnswerTexts,
  eraseAudiences,
  eraseDraftAddresses,
  eraseInvitations,
  eraseWaitingAddresses,
  listResponseIdsOf,
  lockInvitationIdsOf,
  unlinkResponses,
} from './survey-erasure.queries.ts'

/** Users appear in surveys only by their id, which their own erasure keeps. */
export const surveyErasure = definePersonErasure('surveys.respondents', async (tx, person) => {
  const { email_keys: emailKeys, contact_ids: contactIds, lead_ids: leadIds } = person
  const respondent = { emailKeys, contactIds, leadIds }
  const audiences = await eraseAudiences(tx, emailKeys)
  const invitationIds = await lockInvitationIdsOf(tx, respondent)
  const responseIds = await listResponseIdsOf(tx, invitationIds, respondent)
  const texts = await eraseAnswerTexts(tx, responseIds)
  return {
    counts: {
      'surveys.answers': texts + (await eraseAnsweredAddresses(tx, emailKeys)),
      'surveys.responses': await unlinkResponses(tx, responseIds),
      'surveys.drafts': (await deleteDraftsOf(tx, invitationIds)) + (await eraseDraftAddresses(tx, emailKeys)),
      'surveys.unreleased_responses': await eraseWaitingAddresses(tx, emailKeys),
      'surveys.invitations': await eraseInvitations(tx, invitationIds),
      'surveys.distributions': audiences,
    },
  }
})
