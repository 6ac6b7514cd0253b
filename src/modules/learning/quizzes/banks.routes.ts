import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { Bank, BankParams, BankQuery, BankSummary, NewBank } from './banks.schemas.ts'
import {
  createQuestionBank,
  deleteQuestionBank,
  getQuestionBank,
  listQuestionBanks,
  replaceQuestionBank,
} from './banks.service.ts'

const questions =
  'The kinds of questions need: `single`, `multiple` and `true_false` the `options`, `short_text` the `accepted` texts, `numeric` the `value`, `ordering` the `items` in the right order, `matching` the `pairs`.'

export const questionBankRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/enablement/learning/question-banks/',
    config: { scope: 'learning.read', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'listQuestionBanks',
      summary: 'List question banks',
      description: 'The newest first.',
      querystring: BankQuery,
      response: { 200: pageOf(BankSummary) },
    },
    handler: (request) => request.inTenant((tx) => listQuestionBanks(tx, request.query)),
  })

  app.route({
    method: 'POST',
    url: '/api/enablement/learning/question-banks/',
    config: { scope: 'learning.write', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'createQuestionBank',
      summary: 'Create a question bank',
      description: `Requires \`name\`, which is unique ignoring upper and lower case, and \`questions\`. ${questions}`,
      body: NewBank,
      response: { 201: Bank },
    },
    handler: (request) => request.inTenant((tx) => createQuestionBank(tx, request.actor, request.body)),
  })

  app.route({
    method: 'GET',
    url: '/api/enablement/learning/question-banks/:bank_id',
    config: { scope: 'learning.read', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'getQuestionBank',
      summary: 'Get a question bank',
      description: 'With its questions and their answers.',
      params: BankParams,
      response: { 200: Bank },
    },
    handler: (request) => request.inTenant((tx) => getQuestionBank(tx, request.params.bank_id)),
  })

  app.route({
    method: 'PUT',
    url: '/api/enablement/learning/question-banks/:bank_id',
    config: { scope: 'learning.write', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'replaceQuestionBank',
      summary: 'Replace a question bank',
      description: `Replaces the name, the topic and all questions. A question with the \`id\` of an existing one keeps it. Attempts keep their questions. ${questions}`,
      params: BankParams,
      body: NewBank,
      response: { 200: Bank },
    },
    handler: (request) => {
      const input = { bank: request.body, expectedVersion: expectedVersion(request) }
      return request.inTenant((tx) => replaceQuestionBank(tx, request.params.bank_id, input))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/api/enablement/learning/question-banks/:bank_id',
    config: { scope: 'learning.delete', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'deleteQuestionBank',
      summary: 'Delete a question bank',
      description: 'If a quiz of a published path draws from the bank, the response is 409 `in_use`.',
      params: BankParams,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      await request.inTenant((tx) =>
        deleteQuestionBank(tx, request.params.bank_id, { expectedVersion: expectedVersion(request) }),
      )
    },
  })
}
