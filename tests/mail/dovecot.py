"""A real mailbox for the tests: a dovecot of their own on loopback, with one user."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openplan.mail.inbound.mailbox import ImapSettings
from scripts.system import find
from tests.ports import own_port

USER, PASSWORD = "judge", "only for tests"


@contextmanager
def mailbox() -> Iterator[tuple[ImapSettings, Path]]:
    """Settings to reach it, and the folder into which new mail is put."""
    with tempfile.TemporaryDirectory(prefix="openplan-mail-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # its processes run as somebody else
        with _running(folder) as port:
            reached = ImapSettings("127.0.0.1", USER, PASSWORD, port, "none", seconds=10)
            yield reached, folder / "mail" / "new"


@contextmanager
def _running(folder: Path) -> Iterator[int]:
    program = find("dovecot")
    assert program, "dovecot is missing: scripts/system.py says what to do"
    port = own_port()
    # It will not serve mail as root, nor let a stranger in: there it has users of its own.
    is_root = os.geteuid() == 0
    owner = pwd.getpwnam("dovecot") if is_root else pwd.getpwuid(os.getuid())
    group = grp.getgrgid(owner.pw_gid).gr_name
    login = "dovenull" if is_root else owner.pw_name
    # Maildir: whoever puts a file into `new` has delivered a mail.
    for name in ("", "new", "cur", "tmp"):
        (folder / "mail" / name).mkdir(mode=0o777)
        shutil.chown(folder / "mail" / name, owner.pw_uid, owner.pw_gid)
    users = f"{USER}:{{PLAIN}}{PASSWORD}:{owner.pw_uid}:{owner.pw_gid}::/\n"
    (folder / "users").write_text(users)
    (folder / "dovecot.conf").write_text(
        f"""
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
auth_failure_delay = 0
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail
first_valid_uid = {owner.pw_uid}
first_valid_gid = {owner.pw_gid}
default_internal_user = {owner.pw_name}
default_internal_group = {group}
default_login_user = {login}
service anvil {{
  chroot =
  # Nobody waits here for having been wrong before.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = passwd-file
  args = {folder}/users
}}
"""
    )
    server = subprocess.Popen([program, "-F", "-c", str(folder / "dovecot.conf")])
    try:
        _wait_for(port, server, folder / "log")
        yield port
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            said = log.read_text() if log.exists() else "nothing"
            assert server.poll() is None, f"dovecot has gone: {said}"
            assert time.monotonic() < end, f"dovecot does not listen: {said}"
            time.sleep(0.05)
