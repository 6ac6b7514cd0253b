import { Type } from 'typebox'
import { expectedVersion, type Routes, toArrayResponse } from '#platform/http'
import type { Services } from '#platform/module'
import { getContact } from './contacts.queries.ts'
import {
  Contact,
  ContactChanges,
  ContactMerge,
  ContactParams,
  ContactQuery,
  ListedContact,
  MergedContact,
  NewContact,
} from './contacts.schemas.ts'
import { createContact } from './create-contacts.service.ts'
import { deleteContact } from './delete-contact.service.ts'
import { listContacts, toContactDetails } from './list-contacts.service.ts'
import { mergeContacts } from './merge-contacts.service.ts'
import { restoreContact } from './restore-contacts.service.ts'
import { updateContact } from './update-contacts.service.ts'

export const contactRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/contacts/',
      config: { scope: 'contacts.read' },
      schema: {
        operationId: 'listContacts',
        summary: 'List contacts',
        description: 'Newest first by default.',
        querystring: ContactQuery,
        response: { 200: Type.Array(ListedContact) },
      },
      handler: async (request) =>
        toArrayResponse(await request.inTenant((tx) => listContacts(tx, request.actor, request.query, services))),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'createContact',
        summary: 'Create a contact',
        description:
          'Requires at least one of `email`, `phone` and `last_name`. `email` must be unique among contacts.',
        body: NewContact,
        response: { 201: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toContactDetails(tx, await createContact(tx, request.actor, request.body, services)),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id',
      config: { scope: 'contacts.read' },
      schema: {
        operationId: 'getContact',
        summary: 'Get a contact',
        params: ContactParams,
        response: { 200: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) => toContactDetails(tx, await getContact(tx, request.params.contact_id))),
    })

    app.route({
      method: 'PATCH',
      url: '/api/contacts/:contact_id',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'updateContact',
        summary: 'Update a contact',
        description: 'Moving a contact to an earlier stage or to `former_customer` requires `stage_reason`.',
        params: ContactParams,
        body: ContactChanges,
        response: { 200: Contact },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) =>
          toContactDetails(tx, await updateContact(tx, request.actor, request.params.contact_id, update, services)),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/contacts/:contact_id',
      config: { scope: 'contacts.delete' },
      schema: {
        operationId: 'deleteContact',
        summary: 'Delete a contact',
        description: 'A deleted contact can be restored for 30 days.',
        params: ContactParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteContact(tx, request.actor, request.params.contact_id, options))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/:contact_id/restore',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'restoreContact',
        summary: 'Restore a deleted contact',
        description:
          'Allowed for the user who deleted it and for managers. Its email must not be used by another contact.',
        params: ContactParams,
        response: { 200: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toContactDetails(tx, await restoreContact(tx, request.actor, request.params.contact_id, services)),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/:contact_id/merge',
      config: { scope: 'contacts.write', scopes: ['contacts.delete'] },
      schema: {
        operationId: 'mergeContacts',
        summary: 'Merge duplicate contacts',
        description:
          'The contact in the URL is kept and takes over activities, deals and missing values of the others. ' +
          'Opt-outs always win. Allowed for managers and for the owner of all these contacts. Cannot be undone.',
        params: ContactParams,
        body: ContactMerge,
        response: { 200: MergedContact },
      },
      handler: (request) =>
        request.inTenant((tx) => mergeContacts(tx, request.actor, request.params.contact_id, request.body, services)),
    })
  }
