import { crm } from '#modules/crm'
import { identity } from '#modules/identity'
import { operations } from '#modules/operations'
import type { Module } from '#platform/module'

export const modules: readonly Module[] = [identity, crm, operations]
