import { Type } from 'typebox'
import { asArray, expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { setOf } from '#platform/schema'
import { Duplicate } from '../duplicates/duplicates.schemas.ts'
import { findContactDuplicates } from '../duplicates/duplicates.service.ts'
import { addContact } from './add-contact.service.ts'
import { changeContact } from './change-contact.service.ts'
import { getContact } from './contacts.queries.ts'
import {
  Contact,
  ContactChanges,
  ContactMerge,
  ContactParams,
  ContactQuery,
  MergedContact,
  NewContact,
} from './contacts.schemas.ts'
import { deleteContact, restoreContact } from './delete-contact.service.ts'
import { findContacts, showContact } from './find-contacts.service.ts'
import { mergeContacts } from './merge-contacts.service.ts'

export const contactRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/contacts/',
      config: { scope: 'contacts.read' },
      schema: {
        operationId: 'findContacts',
        summary: 'List contacts, the newest first',
        querystring: ContactQuery,
        response: { 200: Type.Array(Contact) },
      },
      handler: async (request) =>
        asArray(await request.inTenant((tx) => findContacts(tx, request.actor, request.query, services))),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'addContact',
        summary: 'Add a contact',
        description: 'Give at least one of `email`, `phone` and `last_name`. An e-mail address belongs to one contact.',
        body: NewContact,
        response: { 201: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) => showContact(tx, await addContact(tx, request.actor, request.body, services))),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id',
      config: { scope: 'contacts.read' },
      schema: {
        operationId: 'getContact',
        summary: 'Get one contact',
        params: ContactParams,
        response: { 200: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) => showContact(tx, await getContact(tx, request.params.contact_id))),
    })

    app.route({
      method: 'PATCH',
      url: '/api/contacts/:contact_id',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'changeContact',
        summary: 'Change a contact',
        description: 'Somebody who goes back to an earlier stage, or is no longer a customer, needs a `stage_reason`.',
        params: ContactParams,
        body: ContactChanges,
        response: { 200: Contact },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) =>
          showContact(tx, await changeContact(tx, request.actor, request.params.contact_id, change, services)),
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
        description: 'It can be restored for 30 days.',
        params: ContactParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const deletion = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteContact(tx, request.actor, request.params.contact_id, deletion))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/:contact_id/restore',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'restoreContact',
        summary: 'Bring a deleted contact back',
        params: ContactParams,
        response: { 200: Contact },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          showContact(tx, await restoreContact(tx, request.actor, request.params.contact_id, clock.now())),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id/duplicates',
      config: { scope: 'contacts.read', scopes: ['leads.read'] },
      schema: {
        operationId: 'findContactDuplicates',
        summary: 'List who seems to be the same person',
        description: 'By the same e-mail address first, then by the same name and company.',
        params: ContactParams,
        response: { 200: setOf(Duplicate) },
      },
      handler: (request) => request.inTenant((tx) => findContactDuplicates(tx, request.params.contact_id)),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/:contact_id/merge',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'mergeContacts',
        summary: 'Join contacts for the same person',
        description:
          'The contact in the address stays and takes over what happened with the others. For managers, and for whoever ' +
          'owns all of them.',
        params: ContactParams,
        body: ContactMerge,
        response: { 200: MergedContact },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          mergeContacts(tx, request.actor, request.params.contact_id, request.body, clock.now()),
        ),
    })
  }
