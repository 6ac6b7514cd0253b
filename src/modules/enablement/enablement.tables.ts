import type { Tables } from '#platform/module'
import { roomTables } from './rooms/room-tables.ts'

export const enablementTables: Tables = { ...roomTables }
