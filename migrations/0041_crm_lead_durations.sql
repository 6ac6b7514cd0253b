-- No writer changes leads until the triggers exist and the existing rows are stored.
lock table crm.leads in access exclusive mode;

create function crm.duration_bucket(ms bigint) returns integer
  language sql immutable parallel safe
  return width_bucket(ms, '{
1000,1125,1250,1375,1500,1625,1750,1875,2000,2250,2500,2750,3000,3250,3500,3750,4000,4500,5000,5500,6000,6500,7000,7500,8000,
9000,10000,11000,12000,13000,14000,15000,16000,18000,20000,22000,24000,26000,28000,30000,32000,36000,40000,44000,48000,52000,
56000,60000,64000,72000,80000,88000,96000,104000,112000,120000,128000,144000,160000,176000,192000,208000,224000,240000,256000,
288000,320000,352000,384000,416000,448000,480000,512000,576000,640000,704000,768000,832000,896000,960000,1024000,1152000,
1280000,1408000,1536000,1664000,1792000,1920000,2048000,2304000,2560000,2816000,3072000,3328000,3584000,3840000,4096000,
4608000,5120000,5632000,6144000,6656000,7168000,7680000,8192000,9216000,10240000,11264000,12288000,13312000,14336000,15360000,
16384000,18432000,20480000,22528000,24576000,26624000,28672000,30720000,32768000,36864000,40960000,45056000,49152000,53248000,
57344000,61440000,65536000,73728000,81920000,90112000,98304000,106496000,114688000,122880000,131072000,147456000,163840000,
180224000,196608000,212992000,229376000,245760000,262144000,294912000,327680000,360448000,393216000,425984000,458752000,
491520000,524288000,589824000,655360000,720896000,786432000,851968000,917504000,983040000,1048576000,1179648000,1310720000,
1441792000,1572864000,1703936000,1835008000,1966080000,2097152000,2359296000,2621440000,2883584000,3145728000,3407872000,
3670016000,3932160000,4194304000,4718592000,5242880000,5767168000,6291456000,6815744000,7340032000,7864320000,8388608000,
9437184000,10485760000,11534336000,12582912000,13631488000,14680064000,15728640000,16777216000,18874368000,20971520000,
23068672000,25165824000,27262976000,29360128000,31457280000,33554432000,37748736000,41943040000,46137344000,50331648000,
54525952000,58720256000,62914560000,67108864000,75497472000,83886080000,92274688000,100663296000,109051904000,117440512000,
125829120000
}'::bigint[]);

-- An owner assigned after the first response did not give it.
create function crm.durations_of_lead(response_ms bigint, created_at timestamptz, first_responded_at timestamptz, assigned_at timestamptz,
  mql_at timestamptz, sql_at timestamptz, opportunity_at timestamptz, customer_at timestamptz)
returns table (metric text, ms bigint) language sql immutable parallel safe as $$
  select metric, ms from unnest(
    array['response', 'assigned', 'mql', 'sql', 'opportunity', 'customer'],
    array[response_ms, case when assigned_at <= first_responded_at then (extract(epoch from first_responded_at - assigned_at) * 1000)::bigint end,
      (extract(epoch from mql_at - created_at) * 1000)::bigint, (extract(epoch from sql_at - created_at) * 1000)::bigint,
      (extract(epoch from opportunity_at - created_at) * 1000)::bigint, (extract(epoch from customer_at - created_at) * 1000)::bigint]
  ) as durations (metric, ms) where ms is not null;
$$;
grant execute on function crm.duration_bucket, crm.durations_of_lead to app, app_system;

-- Durations of leads that are not deleted, so that an exact percentile reads only one bucket of the histogram: one index range.
create table crm.lead_durations (
  tenant_id uuid not null,
  metric text not null,
  bucket integer not null,
  day date not null,
  ms bigint not null,
  lead_id uuid not null,
  owner_id uuid,
  source text not null,
  primary key (tenant_id, metric, bucket, day, ms, lead_id) include (owner_id, source)
);
call platform.isolate_by_tenant('crm.lead_durations');

create function crm.insert_durations_of_new() returns trigger
language plpgsql as $$
begin
  insert into crm.lead_durations (tenant_id, metric, bucket, day, ms, lead_id, owner_id, source)
    select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from new_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null;
  return null;
end $$;

-- The settings keep the cached plan of a large update from being used for a small one: it would read all rows.
create function crm.update_durations() returns trigger
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if not exists (
    select id, created_on, owner_id, source, deleted_at is null, response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at from new_leads
    except
    select id, created_on, owner_id, source, deleted_at is null, response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at from old_leads
  ) then
    return null;
  end if;
  delete from crm.lead_durations duration using (
      select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from old_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null
    except
      select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from new_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null
  ) as former
  where duration.tenant_id = former.tenant_id and duration.metric = former.metric and duration.bucket = former.bucket
    and duration.day = former.day and duration.ms = former.ms and duration.lead_id = former.lead_id;
  insert into crm.lead_durations (tenant_id, metric, bucket, day, ms, lead_id, owner_id, source)
      select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from new_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null
    except
      select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from old_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null;
  return null;
end $$;

create function crm.delete_durations_of_removed() returns trigger
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from crm.lead_durations duration using (
    select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from old_leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null
  ) as former
  where duration.tenant_id = former.tenant_id and duration.metric = former.metric and duration.bucket = former.bucket
    and duration.day = former.day and duration.ms = former.ms and duration.lead_id = former.lead_id;
  return null;
end $$;

create trigger durations_of_new after insert on crm.leads
  referencing new table as new_leads for each statement execute function crm.insert_durations_of_new();
create trigger durations_of_changed after update on crm.leads
  referencing old table as old_leads new table as new_leads for each statement execute function crm.update_durations();
create trigger durations_of_removed after delete on crm.leads
  referencing old table as old_leads for each statement execute function crm.delete_durations_of_removed();

alter table crm.leads no force row level security;
alter table crm.lead_durations no force row level security;
insert into crm.lead_durations (tenant_id, metric, bucket, day, ms, lead_id, owner_id, source)
  select tenant_id, metric, bucket, day, ms, lead_id, owner_id, source from (
      select tenant_id, metric, crm.duration_bucket(ms) as bucket, created_on as day, ms, id as lead_id, owner_id, source
      from crm.leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at, opportunity_at, customer_at)
      where deleted_at is null
  ) as durations order by tenant_id, metric, bucket, day, ms, lead_id;
alter table crm.lead_durations force row level security;
alter table crm.leads force row level security;
