#!/bin/sh
# A Slurm of this one machine, without systemd, as root, in a folder of its own.
# Usage: slurm.sh start DIR | stop DIR.  Afterwards SLURM_CONF=DIR/slurm.conf reaches it.
set -eu
command=$1
dir=$(cd "$2" && pwd)
sbin=$PATH:/usr/sbin:/sbin

free_port() {
  awk -v from="$1" 'FNR > 1 { split($2, a, ":"); used[a[2]] = 1 }
    END { for (p = from; sprintf("%04X", p) in used; p++); print p }' /proc/net/tcp
}

start() {
  mkdir -p "$dir/munge" "$dir/state" "$dir/spool" "$dir/log"
  chmod 755 "$dir/munge"
  dd if=/dev/urandom of="$dir/munge/key" bs=1024 count=1 2>/dev/null
  chmod 400 "$dir/munge/key"
  PATH=$sbin munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
    --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
  controller=$(free_port 36817)
  cat >"$dir/slurm.conf" <<END
ClusterName=oatest
SlurmctldHost=localhost
SlurmctldPort=$controller
SlurmdPort=$(free_port $((controller + 1)))
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=pmix
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SwitchType=switch/none
ReturnToService=2
KillWait=5
MailProg=/bin/true
SlurmdParameters=config_overrides
NodeName=localhost CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  echo CgroupPlugin=cgroup/v1 >"$dir/cgroup.conf"
  PATH=$sbin slurmctld -f "$dir/slurm.conf"
  PATH=$sbin slurmd -N localhost -f "$dir/slurm.conf"
  tries=0
  until SLURM_CONF=$dir/slurm.conf sinfo -h -t idle -o %n 2>/dev/null | grep -q localhost; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "Slurm does not start, see $dir/log" >&2; tail -3 "$dir"/log/* >&2; exit 1; }
    sleep 0.2
  done
}

stop() {
  for pid in "$dir/slurmd.pid" "$dir/slurmctld.pid" "$dir/munge/pid"; do
    [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null || :
  done
}

case $command in
  start) start ;;
  stop) stop ;;
  *) echo "slurm.sh: start or stop" >&2; exit 2 ;;
esac
