/**
 * Creates workspaces with one year of data in SQL, so that a million leads take only minutes. The statements use the table
 * `workspace (id, slug, leads, people)` and a fixed random seed, so that every run creates the same leads.
 */
export const setup = `
  create temp table workspace (id uuid primary key, slug text, leads integer, people integer);

  -- UUIDs that start with a timestamp, like those of the product, and are derived from the text.
  create function pg_temp.id_of(instant timestamptz, of text) returns uuid language sql stable
    return (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(of), 1, 3) || '8' || substr(md5(of), 4, 15))::uuid;
  create function pg_temp.person_of(workspace uuid, number integer) returns uuid language sql stable
    return pg_temp.id_of('2025-01-01', workspace || ' person ' || number);
  create function pg_temp.account_of(workspace uuid, number integer) returns uuid language sql stable
    return pg_temp.id_of('2025-02-01', workspace || ' account ' || number);
  create function pg_temp.one_of(words text[], drawn float8) returns text language sql stable
    return words[1 + floor(drawn * cardinality(words))::integer];
`

export const workspaces = `
  insert into identity.tenants (id, slug, name) select id, slug, initcap(slug) from workspace on conflict do nothing
`

export const users = `
  with inserted as (
    insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
    select id, pg_temp.person_of(id, n), 'person' || n || '@' || slug || '.example', 'Person ' || n,
      case n when 1 then 'admin' else 'member' end, 'active', true, 'sample', 'person ' || n, now()
    from workspace, generate_series(1, people) n
    returning tenant_id, id
  )
  insert into identity.user_presence (tenant_id, user_id) select tenant_id, id from inserted
`

/** One account per twenty leads. */
export const accounts = `
  insert into crm.accounts (tenant_id, id, name, name_key, domain, industry, owner_id, search_text, created_at, updated_at)
  select id, pg_temp.account_of(id, n), 'Company ' || n, 'company ' || n, 'company' || n || '.example', 'Software',
    pg_temp.person_of(id, 1 + n % people), ' company ' || n || ' company' || n || '.example', made_at, made_at
  from workspace, generate_series(0, leads / 20) n,
    lateral (select now() - interval '365 days' * (1 - n * 20.0 / (leads + 20)) as made_at) as time
`

export const leads = `
  with drawn as (
    select id as tenant_id, n, people, leads / 20 as companies, now() - interval '365 days' * (1 - n::float8 / leads) as created_at,
      random() as first, random() as syllable, random() as last, random() as about, random() as worth, random() as eager,
      random() as waited, random() as whose
    from workspace, generate_series(1, leads) n
  ), named as (
    select *,
      initcap(pg_temp.one_of('{al,be,ca,da,el,fi,ga,ha,i,jo,ka,li,ma,no,o,pa,ro,sa,ti,u}', first)
        || pg_temp.one_of('{ra,na,len,ric,bert,dor,mi,sha,ton,vi,lia,gan,ne,bel,das,rik,mo,the,us,yn}', syllable)) as first_name,
      initcap(pg_temp.one_of('{ander,berg,carl,dahl,eng,falk,gren,holm,isak,jans,krist,lind,mark,nord,olaf,peters,quist,rosen,sund,thor}', last)
        || pg_temp.one_of('{son,man,feld,stein,berger,lund,ström,vik,dal,ek,hart,wald,mann,bach,haus,rup,gaard,sen,land,kamp}',
          last * 20 - floor(last * 20))
        || pg_temp.one_of('{a,s,er,is,o}', syllable * 20 - floor(syllable * 20))) as last_name,
      case when about < 0.25 then 'new' when about < 0.45 then 'contacted' when about < 0.60 then 'working'
        when about < 0.75 then 'nurturing' when about < 0.80 then 'qualified' when about < 0.92 then 'unqualified'
        else 'converted' end as status,
      floor(worth * 101)::smallint as fit, floor(eager * eager * 101)::smallint as engagement,
      case when whose < 0.9 then pg_temp.person_of(tenant_id, 1 + floor(whose / 0.9 * people)::integer) end as owner_id
    from drawn
  ), derived as (
    select *, lower(translate(first_name || ' ' || last_name, 'öÖ', 'oo')) as name_key,
      ((fit + engagement + 1) / 2)::smallint as score, 'company ' || n % companies as company_key,
      case when status <> 'new' then created_at + interval '1 minute' * (1 + waited * waited * waited * 3000) end as answered_at
    from named
  )
  insert into crm.leads (tenant_id, id, first_name, last_name, name_key, company, company_key, company_domain, email, email_kind, title,
    industry, employee_count, country, source, status, disqualify_reason, lifecycle_stage, owner_id, assigned_at, fit_score,
    engagement_score, score, grade, scored_at, first_responded_at, first_responder_id, sla_due_at, sla_breached_at, last_activity_at,
    mql_at, sql_at, converted_at, converted_by, converted_account_id, tags, search_text, created_by, created_at, created_on, updated_at)
  select tenant_id, pg_temp.id_of(created_at, tenant_id || ' lead ' || n), first_name, last_name, name_key, initcap(company_key),
    company_key, replace(company_key, ' ', '') || '.example',
    replace(name_key, ' ', '.') || n || '@' || replace(company_key, ' ', '') || '.example', 'business',
    pg_temp.one_of('{CEO,Head of Sales,Engineer,Buyer,Student}', eager), 'Software', floor(worth * 2000)::integer,
    pg_temp.one_of('{DE,SE,FR,US,NL}', first), pg_temp.one_of('{web,fair,api,manual,webinar,referral}', last), status,
    case status when 'unqualified' then 'bad_fit' end,
    case when status in ('converted', 'qualified') then 'sql' when score >= 60 then 'mql' else 'lead' end,
    owner_id, case when owner_id is not null then created_at end, fit, engagement, score,
    case when score >= 70 then 'A' when score >= 40 then 'B' else 'C' end, created_at, answered_at,
    case when answered_at is not null then owner_id end, due_at,
    case when due_at < least(answered_at, now()) then due_at end,
    case when waited < 0.7 then coalesce(answered_at, created_at) + interval '1 day' * waited end,
    case when score >= 60 or status in ('converted', 'qualified') then created_at + interval '1 day' * eager end,
    case when status in ('converted', 'qualified') then created_at + interval '2 days' * (1 + eager) end,
    case status when 'converted' then created_at + interval '5 days' * (1 + eager) end,
    case status when 'converted' then owner_id end,
    case status when 'converted' then pg_temp.account_of(tenant_id, n % companies) end,
    case when about < 0.01 then '{vip}'::text[] when about > 0.7 then '{newsletter}'::text[] else '{}'::text[] end,
    ' ' || name_key || ' ' || company_key || ' ' || replace(name_key, ' ', '.') || n || '@' || replace(company_key, ' ', '') || '.example',
    pg_temp.person_of(tenant_id, 1), created_at, (created_at at time zone 'UTC')::date, greatest(created_at, answered_at)
  from derived, lateral (select created_at + interval '1 day' as due_at) as sla
`

export const durations = `
  insert into crm.lead_durations (tenant_id, metric, bucket, day, ms, lead_id, owner_id, source)
  select tenant_id, metric, crm.duration_bucket(ms), created_on, ms, id, owner_id, source
  from crm.leads cross join lateral crm.durations_of_lead(response_ms, created_at, first_responded_at, assigned_at, mql_at, sql_at,
    opportunity_at, customer_at)
  where deleted_at is null
  on conflict do nothing
`

export const tags = `
  insert into crm.record_tags (tenant_id, entity_type, tag, record_id)
  select tenant_id, 'lead', unnest(tags), id from crm.leads order by 1, 3, 4
  on conflict do nothing
`

/** Some of the leads with a first response have its call or email. */
export const activities = `
  insert into crm.activities (tenant_id, id, lead_id, type, direction, subject, occurred_at, actor_type, actor_user_id, source, created_at)
  select tenant_id, pg_temp.id_of(first_responded_at, id || ' activity'), id, case when score % 2 = 0 then 'call' else 'email_sent' end,
    'out', 'First response', first_responded_at, 'user', first_responder_id, 'manual', first_responded_at
  from crm.leads where first_responded_at is not null and score % 3 = 0
`

export const contacts = `
  insert into crm.contacts (tenant_id, id, first_name, last_name, name_key, email, account_id, account_name, owner_id, lifecycle_stage,
    sql_at, source, lead_id, search_text, created_at, updated_at)
  select tenant_id, pg_temp.id_of(converted_at, id || ' contact'), first_name, last_name, name_key, email, converted_account_id, company_key,
    owner_id, 'sql', sql_at, source, id, search_text, converted_at, converted_at
  from crm.leads where status = 'converted';
  update crm.leads lead set converted_contact_id = contact.id
  from crm.contacts contact where contact.tenant_id = lead.tenant_id and contact.lead_id = lead.id
`

/** One open deal per ten leads, closing in the next two quarters. */
export const deals = `
  insert into crm.opportunities (tenant_id, id, name, name_key, account_id, pipeline_id, stage_key, kind, amount_minor, amount_currency,
    amount_base_minor, probability_basis, forecast_category, close_on, owner_id, source, search_text, created_at, updated_at)
  select w.id, pg_temp.id_of(now(), w.id || ' deal ' || n), 'Deal ' || n, 'deal ' || n, pg_temp.account_of(w.id, n % (w.leads / 20)),
    stage.pipeline_id, stage.key, 'open', amount, 'EUR', amount, stage.probability_basis, stage.forecast_category,
    current_date + n % 180, pg_temp.person_of(w.id, 1 + n % people), 'web', ' deal ' || n, now(), now()
  from workspace w cross join lateral generate_series(1, w.leads / 10) n
    cross join lateral (select 10000 + (n * 7919) % 1000000 as amount) as worth
    join crm.pipeline_stages stage on stage.tenant_id = w.id and stage.kind = 'open' and stage.position = n % 4
  on conflict do nothing
`

/** The triggers that copy them are disabled during the fill. */
export const searchTexts = `
  insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
  select tenant_id, 'lead', id, search_text, priority_rank, created_at from crm.leads
  union all select tenant_id, 'contact', id, search_text, null, null from crm.contacts
  union all select tenant_id, 'account', id, search_text, null, null from crm.accounts
  union all select tenant_id, 'opportunity', id, search_text, null, null from crm.opportunities
  on conflict do nothing
`

export const sources = `
  insert into crm.lead_sources (tenant_id, key, label)
  select id, key, initcap(key) from workspace, unnest('{web,fair,api,manual,webinar,referral}'::text[]) as key
  on conflict do nothing
`

export const filledTables = [
  'crm.accounts',
  'crm.contacts',
  'crm.leads',
  'crm.opportunities',
  'crm.activities',
  'crm.record_tags',
  'crm.search_texts',
]
