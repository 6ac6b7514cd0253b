import { businessData, type Tables } from '#platform/module'

/** Deleted surveys keep their results for 30 days. */
export const deletedSurveyDays = 30

const linkSecrets = ['token_hash', 'token_kid', 'token_cipher']

export const surveysTables: Tables = {
  'surveys.surveys': {
    ...businessData,
    ownable: 'owner_id',
    audit_label: 'name',
    purge_after: { column: 'deleted_at', days: deletedSurveyDays, by: 'own_schedule' },
  },
  'surveys.questions': { ...businessData, audit_label: 'key' },
  'surveys.counters': businessData,
  'surveys.distributions': { ...businessData, personal: ['audience'] },
  'surveys.invitations': {
    export: { redact: ['token_hash'], seal: ['token_hash'] },
    clean: 'business',
    personal: ['email', 'name'],
  },
  'surveys.links': {
    export: { redact: linkSecrets, seal: linkSecrets },
    clean: 'business',
    secrets: [{ ciphertext: 'token_cipher', kid: 'token_kid', row: 'id' }],
  },
  'surveys.drafts': {
    export: 'skip',
    clean: 'business',
    personal: ['answers'],
    purge_after: { column: 'expires_at', days: 1 },
  },
  // No archive has answers to open anonymous surveys: the survey and its copy would differ by single answers.
  'surveys.used_tokens': { export: 'skip', clean: 'business' },
  'surveys.unreleased_responses': { export: 'skip', clean: 'business', personal: ['answers'] },
  'surveys.responses': businessData,
  'surveys.answers': { ...businessData, personal: ['value_text'] },
  'surveys.exports': { export: 'skip', clean: 'business', purge_after: { column: 'expires_at', days: 1 } },
  'surveys.answer_stats': businessData,
  'surveys.score_stats': businessData,
}
