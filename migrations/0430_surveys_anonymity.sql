-- Answers to an open anonymous survey stay in surveys.unreleased_responses until it is closed; then only what may be shown is stored.
alter table surveys.surveys add column breakdown text collate "C" not null default 'none'
  constraint surveys_breakdown_known check (breakdown in ('none', 'language', 'channel', 'lifecycle_stage'));
alter table surveys.counters add column released_link integer not null default 0;
alter table surveys.unreleased_responses
  -- Whether the answer is that of an invited contact or lead.
  add column is_person boolean not null default false,
  -- Whether its score is part of the score of the open survey.
  add column is_counted boolean not null default false;
create index unreleased_responses_waiting on surveys.unreleased_responses (tenant_id, survey_id, channel)
  where not is_counted and score is not null;

-- Reduces the stored results of closed anonymous surveys of earlier versions to what may be shown. Imports of their archives use it, too.
create function surveys.reduce_anonymous_results() returns void language plpgsql set search_path = '' as $$
begin
  -- Months stay if all of them have enough scores; groups do not, because none was chosen before the first invitation.
  with sizes as (
    select survey.tenant_id, survey.id as survey_id, survey.min_group_size, date_trunc('month', stat.day)::date as month, sum(stat.n) as n
    from surveys.surveys as survey
    join surveys.score_stats as stat on stat.tenant_id = survey.tenant_id and stat.survey_id = survey.id and stat.dim = 'all'
    where survey.anonymous and survey.status = 'closed' and stat.n > 0
    group by survey.tenant_id, survey.id, survey.min_group_size, date_trunc('month', stat.day)),
  months as (
    select tenant_id, survey_id, bool_and(n >= min_group_size) as are_shown, max(month) as last_month
    from sizes group by tenant_id, survey_id),
  removed as (
    delete from surveys.score_stats as stat using surveys.surveys as survey
    where survey.tenant_id = stat.tenant_id and survey.id = stat.survey_id and survey.anonymous and survey.status = 'closed'
    returning stat.*)
  insert into surveys.score_stats (tenant_id, survey_id, day, dim, dim_value, score, n)
  select tenant_id, survey_id, case when are_shown then date_trunc('month', day)::date else last_month end, 'all', '', score, sum(n)
  from removed join months using (tenant_id, survey_id)
  where dim = 'all' and n > 0
  group by tenant_id, survey_id, 3, score;

  -- A question that too few answered is not shown.
  delete from surveys.answers as answer using (
    select answered.tenant_id, answered.question_id
    from surveys.answers as answered
    join surveys.surveys as survey on survey.tenant_id = answered.tenant_id and survey.id = answered.survey_id
    where survey.anonymous and survey.status = 'closed'
    group by answered.tenant_id, answered.question_id
    having count(*) filter (where answered.is_answered) between 1 and max(survey.min_group_size) - 1) as hidden
  where answer.tenant_id = hidden.tenant_id and answer.question_id = hidden.question_id;

  with last_days as (
    select stat.tenant_id, stat.survey_id, max(stat.day) as day
    from surveys.answer_stats as stat
    join surveys.surveys as survey on survey.tenant_id = stat.tenant_id and survey.id = stat.survey_id
    where survey.anonymous and survey.status = 'closed'
    group by stat.tenant_id, stat.survey_id),
  removed as (
    delete from surveys.answer_stats as stat using surveys.surveys as survey
    where survey.tenant_id = stat.tenant_id and survey.id = stat.survey_id and survey.anonymous and survey.status = 'closed'
    returning stat.*)
  insert into surveys.answer_stats (tenant_id, survey_id, question_id, day, bucket, n, sum)
  select tenant_id, survey_id, question_id, last_days.day, bucket, sum(n), sum(removed.sum)
  from removed join last_days using (tenant_id, survey_id)
  where exists (select from surveys.answers as answer
    where answer.tenant_id = removed.tenant_id and answer.question_id = removed.question_id)
  group by tenant_id, survey_id, question_id, last_days.day, bucket having sum(n) > 0;

  -- Choices stay if the same ones occur often enough, and if the rows without them are as many.
  with details as (
    select response.tenant_id, response.survey_id, response.id as response_id, survey.min_group_size,
      coalesce(string_agg(answer.question_id || ' ' || concat_ws(' ', answer.value_number, array_to_string(answer.value_options, ','),
        answer.value_json, case when question.question_type = 'date' then answer.value_text end), ';' order by answer.question_id)
        filter (where question.id is not null), '') as combination
    from surveys.surveys as survey
    join surveys.responses as response on response.tenant_id = survey.tenant_id and response.survey_id = survey.id
    left join surveys.answers as answer on answer.tenant_id = response.tenant_id and answer.response_id = response.id
    left join surveys.questions as question on question.tenant_id = answer.tenant_id and question.id = answer.question_id
      and (question.show_if is not null
        or not question.is_primary and question.question_type not in ('short_text', 'long_text', 'email', 'statement'))
    where survey.anonymous and survey.status = 'closed'
    group by response.tenant_id, response.survey_id, response.id, survey.min_group_size),
  sizes as (
    select details.*, count(*) over (partition by tenant_id, survey_id, combination) as same from details),
  hidden as (
    select tenant_id, response_id from (
      select *, count(*) filter (where same < min_group_size) over (partition by tenant_id, survey_id) as rare from sizes) as counted
    where same < min_group_size or rare between 1 and min_group_size - 1)
  delete from surveys.answers as answer using hidden, surveys.questions as question
  where hidden.tenant_id = answer.tenant_id and hidden.response_id = answer.response_id
    and question.tenant_id = answer.tenant_id and question.id = answer.question_id
    and (question.show_if is not null
      or not question.is_primary and question.question_type not in ('short_text', 'long_text', 'email', 'statement'));

  update surveys.responses as response
  set channel = 'link', language = survey.default_language, submitted_on = coalesce(survey.closed_at, survey.updated_at)::date,
    started_at = coalesce(survey.closed_at, survey.updated_at)::date, submitted_at = coalesce(survey.closed_at, survey.updated_at)::date
  from surveys.surveys as survey
  where survey.tenant_id = response.tenant_id and survey.id = response.survey_id and survey.anonymous and survey.status = 'closed';
  delete from surveys.responses as response using surveys.surveys as survey
  where survey.tenant_id = response.tenant_id and survey.id = response.survey_id and survey.anonymous and survey.status = 'closed'
    and not exists (select from surveys.answers as answer
      where answer.tenant_id = response.tenant_id and answer.response_id = response.id);
  delete from surveys.unreleased_responses as waiting using surveys.surveys as survey
  where survey.tenant_id = waiting.tenant_id and survey.id = waiting.survey_id and survey.anonymous and survey.status = 'closed';
end
$$;
grant execute on function surveys.reduce_anonymous_results() to app, app_system;

do $$
begin
  update surveys.unreleased_responses set is_person = true where channel = 'email';
  update surveys.counters as counters set released_link = released.n
  from (
    select response.tenant_id, response.survey_id, count(*)::integer as n
    from surveys.responses as response
    join surveys.surveys as survey on survey.tenant_id = response.tenant_id and survey.id = response.survey_id
    where survey.anonymous and response.channel = 'link'
    group by response.tenant_id, response.survey_id) as released
  where counters.tenant_id = released.tenant_id and counters.survey_id = released.survey_id;

  -- Released answers to open surveys wait for the end again.
  insert into surveys.unreleased_responses (tenant_id, id, survey_id, channel, language, score, sentiment, submitted_on, answers, is_person,
    is_counted)
  select response.tenant_id, gen_random_uuid(), response.survey_id, response.channel, response.language, response.score,
    response.sentiment, response.submitted_on,
    coalesce((select jsonb_agg(to_jsonb(answer) - '{tenant_id,response_id,survey_id}'::text[])
      from surveys.answers as answer
      where answer.tenant_id = response.tenant_id and answer.response_id = response.id), '[]'),
    response.channel = 'email', true
  from surveys.responses as response
  join surveys.surveys as survey on survey.tenant_id = response.tenant_id and survey.id = response.survey_id
  where survey.anonymous and survey.status <> 'closed';
  delete from surveys.responses as response using surveys.surveys as survey
  where survey.tenant_id = response.tenant_id and survey.id = response.survey_id and survey.anonymous and survey.status <> 'closed';
  delete from surveys.answer_stats as stat using surveys.surveys as survey
  where survey.tenant_id = stat.tenant_id and survey.id = stat.survey_id and survey.anonymous and survey.status <> 'closed';
  delete from surveys.score_stats as stat using surveys.surveys as survey
  where survey.tenant_id = stat.tenant_id and survey.id = stat.survey_id and survey.anonymous and survey.status <> 'closed';

  perform surveys.reduce_anonymous_results();
end
$$;

-- Earlier versions would store answers to open surveys where archives read them.
update platform.schema_compatibility set compatible_since = '0430_surveys_anonymity';
