import { Type } from 'typebox'
import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import {
  AddedSuppressions,
  ContactOptOuts,
  NewSuppressions,
  OptedOutContacts,
  Suppression,
  SuppressionParams,
  SuppressionQuery,
  SuppressionUpload,
} from './suppressions.schemas.ts'
import { addSuppressions, deleteSuppression, listSuppressions, optOutContacts } from './suppressions.service.ts'
import { uploadSuppressions } from './upload-suppressions.flow.ts'

const url = '/api/leads/suppressions'

export const suppressionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url,
      config: { scope: 'leads.read', scopes: ['contacts.read'], roles: ['manager', 'admin'] },
      schema: {
        operationId: 'listSuppressions',
        summary: 'List suppressions',
        description:
          'Email addresses and phone numbers that must not be contacted, newest first, whether or not leads or contacts have them.',
        querystring: SuppressionQuery,
        response: { 200: pageOf(Suppression) },
      },
      handler: (request) => request.inTenant((tx) => listSuppressions(tx, request.query, services)),
    })

    app.route({
      method: 'POST',
      url,
      config: { scope: 'leads.write', scopes: ['contacts.write'], roles: ['manager', 'admin'] },
      schema: {
        operationId: 'addSuppressions',
        summary: 'Add suppressions',
        description:
          'Stops marketing email to up to 1,000 email addresses. It is in force at once, also for leads and contacts that are created ' +
          'later; a job copies the status to existing ones.',
        body: NewSuppressions,
        response: { 200: AddedSuppressions },
      },
      handler: (request) => request.inTenant((tx) => addSuppressions(tx, request.body, services)),
    })

    app.route({
      method: 'POST',
      url: `${url}/upload`,
      config: {
        scope: 'leads.write',
        scopes: ['contacts.write'],
        roles: ['manager', 'admin'],
        bodyLimit: 6_000_000,
        bodySeconds: 60,
      },
      schema: {
        operationId: 'uploadSuppressions',
        summary: 'Upload suppressions',
        description:
          'Adds the email addresses of up to 50,000 rows of a CSV file in a task. Its result has `total`, `added`, `unchanged`, `invalid` ' +
          '(rows without an email address) and `failures` with the numbers of the first 1,000 of these rows.',
        body: SuppressionUpload,
        response: { 202: AcceptedTask },
      },
      handler: async (request, reply) =>
        setAcceptedStatus(
          reply,
          await uploadSuppressions(request.actor, request.body, (work) => request.inTenant(work)),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/opt-out',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'optOutContacts',
        summary: 'Opt out contacts',
        description:
          'Stops marketing email to up to 1,000 contacts, like `email_status: unsubscribed` of their consent. For leads, use the action ' +
          '`opt_out` of the bulk update.',
        body: ContactOptOuts,
        response: { 200: OptedOutContacts },
      },
      handler: (request) => request.inTenant((tx) => optOutContacts(tx, request.body, services)),
    })

    app.route({
      method: 'DELETE',
      url: `${url}/:suppression_id`,
      config: { scope: 'leads.delete', scopes: ['contacts.write'], roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deleteSuppression',
        summary: 'Delete a suppression',
        description:
          'Allows email to an address that the workspace listed or that bounced. What a person said stays: record their consent with the lead or contact instead.',
        params: SuppressionParams,
        response: { 204: Type.Null() },
      },
      handler: (request) => request.inTenant((tx) => deleteSuppression(tx, request.params.suppression_id, services)),
    })
  }
