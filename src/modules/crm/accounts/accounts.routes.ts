import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { AccountContactQuery, Contact } from '../contacts/contacts.schemas.ts'
import { getAccount } from './accounts.queries.ts'
import { Account, AccountChanges, AccountParams, AccountQuery, AccountSummary, NewAccount } from './accounts.schemas.ts'
import { addAccount } from './add-account.service.ts'
import { changeAccount } from './change-account.service.ts'
import { deleteAccount, restoreAccount } from './delete-account.service.ts'
import { findAccountContacts, findAccounts, showAccount } from './find-accounts.service.ts'

export const accountRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/accounts/',
      config: { scope: 'accounts.read' },
      schema: {
        operationId: 'findAccounts',
        summary: 'List accounts, by name',
        querystring: AccountQuery,
        response: { 200: pageOf(AccountSummary) },
      },
      handler: (request) => request.inTenant((tx) => findAccounts(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/accounts/',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'addAccount',
        summary: 'Add an account',
        description: 'A domain belongs to one account.',
        body: NewAccount,
        response: { 201: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) => showAccount(tx, await addAccount(tx, request.actor, request.body, services))),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.read' },
      schema: {
        operationId: 'getAccount',
        summary: 'Get one account, and how much there is of it',
        params: AccountParams,
        response: { 200: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) => showAccount(tx, await getAccount(tx, request.params.account_id))),
    })

    app.route({
      method: 'PATCH',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'changeAccount',
        summary: 'Change an account',
        description: 'Its contacts carry its new name. When it becomes a former customer, so do they.',
        params: AccountParams,
        body: AccountChanges,
        response: { 200: Account },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) =>
          showAccount(tx, await changeAccount(tx, request.actor, request.params.account_id, change, services)),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/accounts/:account_id',
      config: { scope: 'accounts.delete' },
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete an account without open deals',
        description: 'It can be restored for 30 days, and its contacts with it.',
        params: AccountParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const deletion = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteAccount(tx, request.actor, request.params.account_id, deletion))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/accounts/:account_id/restore',
      config: { scope: 'accounts.write' },
      schema: {
        operationId: 'restoreAccount',
        summary: 'Bring a deleted account back',
        params: AccountParams,
        response: { 200: Account },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          showAccount(tx, await restoreAccount(tx, request.actor, request.params.account_id, clock.now())),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id/contacts',
      config: { scope: 'accounts.read', scopes: ['contacts.read'] },
      schema: {
        operationId: 'findAccountContacts',
        summary: 'List who works at an account, the newest first',
        params: AccountParams,
        querystring: AccountContactQuery,
        response: { 200: pageOf(Contact) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          findAccountContacts(tx, request.actor, request.params.account_id, request.query, services),
        ),
    })
  }
