import { sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import {
  type EnrollmentModuleRow,
  type EnrollmentRow,
  enrollmentColumns,
  enrollmentModuleColumns,
} from './enrollment-row.ts'

type Enrollments = Database['enablement.learning_enrollments']
type EnrollmentModules = Database['enablement.enrollment_modules']

const selectEnrollment = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.learning_enrollments')
    .select(enrollmentColumns)
    .where('id', '=', id)
    .$castTo<EnrollmentRow>()

export const findEnrollment = (tx: TenantTx, id: string): Promise<EnrollmentRow | undefined> =>
  selectEnrollment(tx, id).executeTakeFirst()

/** Protects its modules and attempts, which are changed only while their enrollment is locked. */
export const lockEnrollment = (tx: TenantTx, id: string): Promise<EnrollmentRow> =>
  selectEnrollment(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('enrollment'))

/** Locks in id order to avoid deadlocks. Skips deleted enrollments. */
export const lockEnrollments = (tx: TenantTx, ids: readonly string[]): Promise<EnrollmentRow[]> =>
  tx
    .selectFrom('enablement.learning_enrollments')
    .select(enrollmentColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .$castTo<EnrollmentRow>()
    .execute()

export const updateEnrollmentRow = (
  tx: TenantTx,
  id: string,
  fields: Updateable<Enrollments>,
): Promise<EnrollmentRow> =>
  tx
    .updateTable('enablement.learning_enrollments')
    .set(fields)
    .where('id', '=', id)
    .returning(enrollmentColumns)
    .$castTo<EnrollmentRow>()
    .executeTakeFirstOrThrow()

/** The modules of enrollments in their order, also removed ones. */
export const listEnrollmentModules = (tx: TenantTx, enrollmentIds: readonly string[]): Promise<EnrollmentModuleRow[]> =>
  tx
    .selectFrom('enablement.enrollment_modules')
    .select(enrollmentModuleColumns)
    .where('enrollment_id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .orderBy('position')
    .orderBy('module_id')
    .$castTo<EnrollmentModuleRow>()
    .execute()

type ModuleKey = { enrollment_id: string; module_id: string }

/** The enrollment must be locked. */
export const updateEnrollmentModule = (
  tx: TenantTx,
  { enrollment_id, module_id }: ModuleKey,
  fields: Updateable<EnrollmentModules>,
): Promise<EnrollmentModuleRow> =>
  tx
    .updateTable('enablement.enrollment_modules')
    .set(fields)
    .where('enrollment_id', '=', enrollment_id)
    .where('module_id', '=', module_id)
    .returning(enrollmentModuleColumns)
    .$castTo<EnrollmentModuleRow>()
    .executeTakeFirstOrThrow()
