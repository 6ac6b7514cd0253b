import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { AccountContactQuery, ListedContact } from '../contacts/contacts.schemas.ts'
import { getAccount } from './accounts.queries.ts'
import { Account, AccountChanges, AccountParams, AccountQuery, ListedAccount, NewAccount } from './accounts.schemas.ts'
import { createAccount } from './create-account.service.ts'
import { deleteAccount, restoreAccount } from './delete-account.service.ts'
import { listAccountContacts, listAccounts, toAccountDetails } from './list-accounts.service.ts'
import { updateAccount } from './update-account.service.ts'

export const accountRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/accounts/',
      config: { scope: 'accounts.read' },
      schema: {
        operationId: 'listAccounts',
        summary: 'List accounts',
        description:
          'Sorted by name by default. `include=stats` adds the number of contacts and open deals and the deal amounts in the base currency.',
        querystring: AccountQuery,
        response: { 200: pageOf(ListedAccount) },
      },
      handler: (request) => request.inTenant((tx) => listAccounts(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/accounts/',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'createAccount',
        summary: 'Create an account',
        description: 'Requires `name`. `domain` must be unique within the workspace.',
        body: NewAccount,
        response: { 201: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toAccountDetails(tx, await createAccount(tx, request.actor, request.body, services)),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.read' },
      schema: {
        operationId: 'getAccount',
        summary: 'Get an account with totals',
        description:
          '`stats` contains the number of contacts and open deals and the deal amounts in the base currency.',
        params: AccountParams,
        response: { 200: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) => toAccountDetails(tx, await getAccount(tx, request.params.account_id))),
    })

    app.route({
      method: 'PATCH',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'updateAccount',
        summary: 'Update an account',
        description: 'A new name or `former_customer` type is also applied to its contacts.',
        params: AccountParams,
        body: AccountChanges,
        response: { 200: Account },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) =>
          toAccountDetails(tx, await updateAccount(tx, request.actor, request.params.account_id, update, services)),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.delete' },
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete an account',
        description: 'Fails if the account has open deals. It can be restored for 30 days; its contacts are kept.',
        params: AccountParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteAccount(tx, request.actor, request.params.account_id, options))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/accounts/:account_id/restore',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'restoreAccount',
        summary: 'Restore a deleted account',
        description:
          'Allowed for the user who deleted it and for managers. Its domain must not be used by another account.',
        params: AccountParams,
        response: { 200: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toAccountDetails(tx, await restoreAccount(tx, request.actor, request.params.account_id, clock.now())),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id/contacts',
      config: { scope: 'accounts.read', scopes: ['contacts.read'] },
      schema: {
        operationId: 'listAccountContacts',
        summary: 'List contacts of an account',
        params: AccountParams,
        querystring: AccountContactQuery,
        response: { 200: pageOf(ListedContact) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listAccountContacts(tx, request.actor, request.params.account_id, request.query, services),
        ),
    })
  }
