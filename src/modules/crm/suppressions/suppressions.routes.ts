import { Type } from 'typebox'
import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import { addSuppressions } from './add-suppressions.service.ts'
import {
  AddedSuppressions,
  NewSuppressions,
  Suppression,
  SuppressionParams,
  SuppressionQuery,
  SuppressionUpload,
} from './suppressions.schemas.ts'
import { deleteSuppression, listSuppressions } from './suppressions.service.ts'
import { uploadSuppressions } from './upload-suppressions.flow.ts'

const url = '/api/leads/suppressions'

export const suppressionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url,
      config: { scope: 'leads.read', roles: ['manager', 'admin'] },
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
          'Stops marketing email to addresses, and to the addresses of leads and contacts, up to 1,000 each. It is in force at once; ' +
          'a job copies the status to the records. One of the lists is required.',
        body: NewSuppressions,
        response: { 200: AddedSuppressions },
      },
      handler: (request) => request.inTenant((tx) => addSuppressions(tx, request.actor, request.body, services)),
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
          'Adds up to 50,000 email addresses of a CSV file in a task. Its result has `total`, `added`, `unchanged` and `invalid`, the number of rows without an email address.',
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
