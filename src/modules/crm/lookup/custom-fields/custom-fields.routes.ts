import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listOf, pageOf } from '#platform/schema'
import { readScopes, writeScopes } from '../../records/fields/record-scopes.ts'
import { createCustomField } from './create-custom-field.service.ts'
import {
  CustomField,
  CustomFieldChanges,
  CustomFieldParams,
  CustomFieldQuery,
  DeleteFieldQuery,
  FieldOrder,
  NewCustomField,
  ObjectTypeParams,
  RecordValues,
  ReorderQuery,
  StandardField,
  UpdatedCustomField,
  ValueParams,
  ValueReplacement,
} from './custom-fields.schemas.ts'
import { listCustomFields, reorderCustomFields } from './custom-fields.service.ts'
import { deleteCustomField } from './delete-custom-field.service.ts'
import { getRecordValues, replaceRecordValues } from './record-values.service.ts'
import { listStandardFields } from './standard-fields.ts'
import { updateCustomField } from './update-custom-field.service.ts'

export const customFieldRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/custom-fields',
      config: { scope: 'custom_fields.read' },
      schema: {
        operationId: 'listCustomFields',
        summary: 'List custom fields',
        description: 'Sorted by object type and position.',
        querystring: CustomFieldQuery,
        response: { 200: pageOf(CustomField) },
      },
      handler: (request) => request.inTenant((tx) => listCustomFields(tx, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/custom-fields',
      config: { scope: 'custom_fields.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'createCustomField',
        summary: 'Create a custom field',
        description:
          'Without `key`, the key is derived from `label`. An object type can have 200 fields, 60 of them filterable. ' +
          'Fields of type `select` and `multi_select` require `options`.',
        body: NewCustomField,
        response: { 201: CustomField },
      },
      handler: (request) => request.inTenant((tx) => createCustomField(tx, request.body, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/custom-fields/reorder',
      config: { scope: 'custom_fields.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'reorderCustomFields',
        summary: 'Reorder custom fields',
        description: '`field_ids` must contain all fields of the object type.',
        querystring: ReorderQuery,
        body: FieldOrder,
        response: { 200: listOf(CustomField) },
      },
      handler: (request) =>
        request.inTenant((tx) => reorderCustomFields(tx, request.query.object_type, request.body.field_ids)),
    })

    app.route({
      method: 'GET',
      url: '/api/custom-fields/standard/:object_type',
      config: { scope: 'custom_fields.read' },
      schema: {
        operationId: 'listStandardFields',
        summary: 'List standard fields',
        description: 'Fields that every record of the object type has, with the operators that filters can use.',
        params: ObjectTypeParams,
        response: { 200: listOf(StandardField) },
      },
      handler: async (request) => listStandardFields(request.params.object_type),
    })

    app.route({
      method: 'GET',
      url: '/api/custom-fields/values/:object_type/:record_id',
      config: { scope: 'custom_fields.read', scopeByParam: { name: 'object_type', scopes: readScopes } },
      schema: {
        operationId: 'getRecordValues',
        summary: 'Get the custom values of a record',
        description: 'Also requires the read scope of the object type.',
        params: ValueParams,
        response: { 200: RecordValues },
      },
      handler: (request) => request.inTenant((tx) => getRecordValues(tx, request.params)),
    })

    app.route({
      method: 'PUT',
      url: '/api/custom-fields/values/:object_type/:record_id',
      config: { scope: 'custom_fields.write', scopeByParam: { name: 'object_type', scopes: writeScopes } },
      schema: {
        operationId: 'replaceRecordValues',
        summary: 'Replace the custom values of a record',
        description:
          'Also requires the write scope of the object type. Active fields that are left out are cleared; values of ' +
          'inactive fields are kept.',
        params: ValueParams,
        body: ValueReplacement,
        response: { 200: RecordValues },
      },
      handler: (request) => {
        const replacement = { ...request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => replaceRecordValues(tx, request.actor, request.params, replacement, services))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/custom-fields/:field_id',
      config: { scope: 'custom_fields.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'updateCustomField',
        summary: 'Update a custom field',
        description:
          'Only `text` can become `long_text` and `select` can become `multi_select`. New validation applies to new ' +
          'values. Removing a used option requires `replace_options`.',
        params: CustomFieldParams,
        body: CustomFieldChanges,
        response: { 200: UpdatedCustomField },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => updateCustomField(tx, request.params.field_id, update))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/custom-fields/:field_id',
      config: { scope: 'custom_fields.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deleteCustomField',
        summary: 'Delete a custom field',
        description: 'A field that is used is only deleted with `force`, together with its values.',
        params: CustomFieldParams,
        querystring: DeleteFieldQuery,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { ...request.query, expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteCustomField(tx, request.actor, request.params.field_id, options, services))
      },
    })
  }
