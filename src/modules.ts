import { crm } from '#modules/crm'
import { identity } from '#modules/identity'
import { operations } from '#modules/operations'
import type { Module } from '#platform/module'

/** Every module of the product, each after those it stands on. Nothing is loaded by magic. */
export const modules: readonly Module[] = [identity, crm, operations]
