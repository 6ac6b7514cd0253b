/** Counts the responses of a campaign by week. */
export const up = (pgm) => {
  pgm.noTransaction()
  // An interrupted run leaves an invalid index.
  pgm.sql('drop index concurrently if exists marketing.campaign_members_by_response_time')
  pgm.sql(`create index concurrently campaign_members_by_response_time on marketing.campaign_members (tenant_id, campaign_id, responded_at)
    where not is_hidden and responded_at is not null`)
}

export const down = false
