import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeResource, resources } from '#platform/access'
import { operations } from './document.ts'

/** Verbs for operations that are not plain reads or writes of a resource. */
const domainVerbs = [
  'accept',
  'add',
  'analyze',
  'bulkUpdate',
  'cancel',
  'change',
  'clean',
  'clone',
  'complete',
  'convert',
  'distribute',
  'download',
  'draft',
  'enrich',
  'enroll',
  'erase',
  'evaluate',
  'exchange',
  'export',
  'finish',
  'follow',
  'impersonate',
  'ingest',
  'load',
  'logIn',
  'logOut',
  'mark',
  'merge',
  'optOut',
  'preview',
  'qualify',
  'reassign',
  'reauthenticate',
  'recompute',
  'record',
  'recover',
  'redeliver',
  'refresh',
  'reject',
  'remove',
  'reorder',
  'repair',
  'request',
  'resend',
  'reset',
  'review',
  'revoke',
  'rotate',
  'search',
  'send',
  'signUp',
  'skip',
  'start',
  'stream',
  'submit',
  'test',
  'undo',
  'unfollow',
  'unsubscribe',
  'upload',
  'verify',
]

const operationIdPattern = new RegExp(
  `^((list|get|create|update|replace|delete|restore)[A-Z]|(${domainVerbs.join('|')})([A-Z]|$))`,
)

/** First words of summaries; each is an imperative. */
const summaryVerbs = [
  'Accept',
  'Add',
  'Analyze',
  'Bulk-update',
  'Cancel',
  'Change',
  'Clone',
  'Complete',
  'Confirm',
  'Convert',
  'Create',
  'Delete',
  'Download',
  'Draft',
  'Enrich',
  'Enroll',
  'Erase',
  'Evaluate',
  'Exchange',
  'Export',
  'Finish',
  'Follow',
  'Get',
  'Impersonate',
  'List',
  'Load',
  'Log',
  'Mark',
  'Merge',
  'Opt',
  'Preview',
  'Qualify',
  'Reassign',
  'Recompute',
  'Record',
  'Recover',
  'Redeliver',
  'Refresh',
  'Reject',
  'Remove',
  'Reorder',
  'Repair',
  'Replace',
  'Request',
  'Resend',
  'Reset',
  'Respond',
  'Restore',
  'Review',
  'Revoke',
  'Rotate',
  'Run',
  'Save',
  'Schedule',
  'Search',
  'Send',
  'Sign',
  'Skip',
  'Start',
  'Stream',
  'Submit',
  'Test',
  'Undo',
  'Unfollow',
  'Unsubscribe',
  'Update',
  'Upload',
  'Verify',
]

test('operation ids start with a verb', () => {
  const wrong = operations.map(({ operationId }) => operationId).filter((id) => !operationIdPattern.test(id))

  assert.deepEqual(wrong, [])
})

test('the list of domain verbs is sorted and has no unused verb', () => {
  const unused = domainVerbs.filter((verb) => !operations.some(({ operationId }) => operationId.startsWith(verb)))

  assert.deepEqual(domainVerbs, [...domainVerbs].sort())
  assert.deepEqual(unused, [])
})

test('operation ids are unique', () => {
  const ids = operations.map(({ operationId }) => operationId)

  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  )
})

test('summaries are an imperative and at most seven words', () => {
  const wrong = operations.filter(({ summary }) => {
    const words = summary.split(' ')
    return words.length > 7 || !summaryVerbs.includes(words[0]!) || /[.,?:;]$/.test(summary)
  })

  assert.deepEqual(
    wrong.map(({ operationId, summary }) => `${operationId}: ${summary}`),
    [],
  )
})

/** What users type into the search box of the reference, and the operation they look for. */
const searches: Record<string, string> = {
  'create lead': 'createLead',
  'update lead': 'updateLead',
  'delete lead': 'deleteLead',
  'restore lead': 'restoreLead',
  'convert lead': 'convertLead',
  'merge leads': 'mergeLeads',
  'bulk leads': 'bulkUpdateLeads',
  'bulk contacts': 'bulkUpdateContacts',
  'create contact': 'createContact',
  'update contact': 'updateContact',
  'merge contacts': 'mergeContacts',
  'create account': 'createAccount',
  'update account': 'updateAccount',
  'create deal': 'createOpportunity',
  'update deal': 'updateOpportunity',
  'create pipeline': 'createPipeline',
  'create team': 'createTeam',
  'delete team': 'deleteTeam',
  'invite user': 'createUser',
  'create user': 'createUser',
  'update user': 'updateUser',
  'impersonate user': 'impersonateUser',
  'create api key': 'createApiKey',
  'rotate api key': 'rotateApiKey',
  'revoke api key': 'revokeApiKey',
  'audit log': 'listAuditLog',
  'update settings': 'updateSettings',
  'cancel task': 'cancelTask',
}

const summaryContains = (summary: string, query: string) => {
  const words = summary.toLowerCase().split(/[^a-z]+/)
  return query
    .split(' ')
    .every((term) => words.some((word) => word === term || word === `${term}s` || `${word}s` === term))
}

for (const [query, operationId] of Object.entries(searches)) {
  test(`a search for "${query}" finds ${operationId}`, () => {
    const matches = operations
      .filter(({ summary }) => summaryContains(summary, query))
      .map((match) => match.operationId)

    assert.ok(matches.includes(operationId), `found ${matches.join(', ') || 'nothing'}`)
  })
}

test('the operation that creates a link to a room says in which states of the room visitors can use it', () => {
  const { description } = operations.find(({ operationId }) => operationId === 'createRoomLink')!

  assert.match(description, /while the room is active: for a draft .* 404, for a closed or archived room 410/)
})

test('exactly the resources with operations have a description', () => {
  const used = new Set(operations.flatMap(({ tags }) => tags))

  assert.deepEqual(
    resources.filter((resource) => used.has(resource) !== (describeResource(resource) !== null)),
    [],
  )
})
