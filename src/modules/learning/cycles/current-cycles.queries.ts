import { type RawBuilder, sql } from 'kysely'

type Cycles = { where: RawBuilder<unknown>; now: Date }

/**
 * Selects where each user is with each path: the latest cycle that was not withdrawn. A user whose newest certificate of the path is
 * valid has completed it, also while a renewal is open or failed, so such a row has the result of the certified cycle.
 */
export const currentCycles = ({ where, now }: Cycles): RawBuilder<unknown> => sql`
  select latest.id, latest.user_id, latest.path_id, latest.is_mandatory, latest.due_on,
    coalesce(certified.status, latest.status) as status, coalesce(certified.progress_rate, latest.progress_rate) as progress_rate,
    case when certified.id is null then latest.score else certified.score end as score
  from (
    select distinct on (path_id, user_id) id, user_id, path_id, is_mandatory, due_on, status, progress_rate, score
    from enablement.learning_enrollments where ${where} and status <> 'withdrawn'
    order by path_id, user_id, cycle desc) as latest
  left join lateral (
    select cycle.id, cycle.status, cycle.progress_rate, cycle.score
    from (select enrollment_id, expires_at, revoked_at from enablement.certificates
      where user_id = latest.user_id and path_id = latest.path_id and latest.status <> 'completed'
      order by issued_at desc limit 1) as newest
    join enablement.learning_enrollments cycle on cycle.id = newest.enrollment_id
    where newest.revoked_at is null and (newest.expires_at is null or newest.expires_at > ${now})) as certified on true`
